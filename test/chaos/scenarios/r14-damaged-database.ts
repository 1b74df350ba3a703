import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs"
import { join } from "node:path"
import { SUBMITTER } from "../harness/bundle.ts"
import { withDeployment } from "../harness/deployment.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"

const overwrite = (file: string, at: number, bytes: number): void => {
  writeSync(openSync(file, "r+"), Buffer.alloc(bytes, 0xa5), 0, bytes, at)
}

/** Damage to the closed file. Each start after it must fail with a message. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  "header overwritten": (file) => overwrite(file, 0, 100),
  "truncated to half a page": (file) => truncateSync(file, 2_048),
  "first page overwritten with garbage": (file) => overwrite(file, 100, 3_900),
  "schema pages overwritten with garbage": (file) => overwrite(file, 100, statSync(file).size - 200),
}

export const r14: Scenario = {
  id: "R14",
  title: `database damaged while stopped: ${Object.keys(DAMAGES).join(", ")}; journal deleted`,
  setups: [SQLITE],
  run: (c) =>
    withDeployment(c, {}, async (deployment) => {
      for (let i = 0; i < 20; i++) await deployment.submitJob()
      deployment.sqlite.pragma("wal_checkpoint(TRUNCATE)")
      const summary: string[] = []
      const start = (name: string) => {
        const folder = join(deployment.dir, name.replaceAll(" ", "-"))
        mkdirSync(folder)
        const file = join(folder, "earmark.db")
        copyFileSync(deployment.sqlite.name, file)
        return {
          file,
          open: () => spawnSync(process.execPath, [SUBMITTER, file], { encoding: "utf8", timeout: 30_000 }),
        }
      }
      for (const [name, damage] of Object.entries(DAMAGES)) {
        const { file, open } = start(name)
        damage(file)
        const { status, stderr } = open()
        const lines = stderr.trim().split("\n")
        c.check(`${name}: the start fails`, status !== 0, status)
        c.check(
          `${name}: with a one-line message`,
          lines.length === 1 && /database .*\.$/.test(lines[0]!),
          stderr.slice(0, 200),
        )
        summary.push(`${name}: refused`)
      }
      // Checkpointed jobs remain. Only transactions that were in the deleted journal are lost.
      const { file, open } = start("journal deleted")
      for (const end of ["-wal", "-shm"]) if (existsSync(file + end)) rmSync(file + end)
      const { status } = open()
      const jobs = spawnSync(
        process.execPath,
        [
          "-e",
          `console.log(new (require("better-sqlite3"))(${JSON.stringify(file)}).prepare("select count(*) n from jobs").get().n)`,
        ],
        { encoding: "utf8" },
      ).stdout.trim()
      c.check(
        "without its journal: opens with the checkpointed jobs",
        status === 0 && jobs === "20",
        `${status}, ${jobs} jobs`,
      )
      await deployment.pool.start(1)
      await deployment.waitUntilEnded()
      await deployment.checkInvariants()
      return `${summary.join("; ")}, each with an error message and a nonzero exit code; journal deleted: ${jobs} of 20 jobs present`
    }),
}
