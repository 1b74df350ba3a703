import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs"
import { join } from "node:path"
import { SUBMITTER } from "../harness/bundle.ts"
import { withSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

const overwrite = (file: string, at: number, bytes: number): void => {
  writeSync(openSync(file, "r+"), Buffer.alloc(bytes, 0xa5), 0, bytes, at)
}

/** What happens to the file while nobody has it open; each is a start that must fail with a sentence. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  "header overwritten": (file) => overwrite(file, 0, 100),
  "cut to half a page": (file) => truncateSync(file, 2_048),
  "first page garbage": (file) => overwrite(file, 100, 3_900),
  "schema pages garbage": (file) => overwrite(file, 100, statSync(file).size - 200),
}

export const r14: Scenario = {
  id: "R14",
  title: `database damaged while stopped: ${Object.keys(DAMAGES).join(", ")}; journal deleted`,
  brokers: EMBEDDED,
  run: (c) =>
    withSite(c, {}, async (site) => {
      for (let i = 0; i < 20; i++) await site.give()
      site.raw.pragma("wal_checkpoint(TRUNCATE)")
      const told: string[] = []
      const start = (name: string) => {
        const folder = join(site.dir, name.replaceAll(" ", "-"))
        mkdirSync(folder)
        const file = join(folder, "earmark.db")
        copyFileSync(site.raw.name, file)
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
          `${name}: with a sentence`,
          lines.length === 1 && /database .*\.$/.test(lines[0]!),
          stderr.slice(0, 200),
        )
        told.push(`${name}: refused`)
      }
      // What was checkpointed is there; what only the deleted journal had is lost with it, never the whole.
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
      c.check("without its journal: opens with what it holds", status === 0 && jobs === "20", `${status}, ${jobs} jobs`)
      await site.pool.keep(1)
      await site.untilEnded()
      await site.settle()
      return `${told.join("; ")}, each with one sentence and a code other than 0; journal deleted: ${jobs} of 20 jobs there`
    }),
}
