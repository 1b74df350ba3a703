import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Driver from "better-sqlite3"
import { SUBMITTER } from "../harness/bundle.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"

export const r24: Scenario = {
  id: "R24",
  title: "four processes open and migrate a new database concurrently, ten times",
  setups: [SQLITE],
  run: async (c) => {
    const rounds = c.size(10, 2)
    const steps = new Set<number>()
    for (let i = 0; i < rounds; i++) {
      const dir = mkdtempSync(join(tmpdir(), "earmark-migrate-"))
      const file = join(dir, "earmark.db")
      const ends = await Promise.all(
        Array.from({ length: 4 }, () => once(spawn(process.execPath, [SUBMITTER, file], { stdio: "inherit" }), "exit")),
      )
      c.check(
        "all open",
        ends.every(([code]) => code === 0),
        ends.map(([code]) => code).join(),
      )
      const db = new Driver(file, { readonly: true })
      steps.add(db.prepare("select count(*) from __drizzle_migrations").pluck().get() as number)
      c.check("integrity_check", db.pragma("integrity_check", { simple: true }) === "ok")
      db.close()
      rmSync(dir, { recursive: true })
    }
    c.check("each migration ran once", steps.size === 1, [...steps].join())
    return `${rounds} × 4 processes: all started, ${[...steps].join()} migrations ran once each`
  },
}
