import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import type { IngestResponse } from "#lib/api/documents.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { type Deployment, withDeployment } from "../harness/deployment.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"

const CLI = join(packageRoot(), "dist/cli.js")
const WORDS =
  "harbour mast canvas honey hive queen flour oven crust comet mirror planet river stone valley lantern".split(" ")

/** Long enough that writing one document takes a while. */
const textOf = (n: number): string =>
  Array.from({ length: 1_200 }, (_, i) => {
    const word = (k: number) => WORDS[(n * 31 + i * 7 + k * k) % WORDS.length]!
    return `The ${word(1)} of note ${n}.${i} lies by the ${word(2)} and the ${word(3)}.`
  }).join("\n\n")

const chunksByDocument = (deployment: Deployment): Map<string, number> =>
  new Map(
    deployment.sqlite
      .prepare(
        "select d.source, count(c.id) from documents d left join document_chunks c on c.document_id = d.id group by 1",
      )
      .raw()
      .all() as [string, number][],
  )

export const r28: Scenario = {
  id: "R28",
  title: "earmark ingest of 200 files is killed (kill -9) 20 times while it writes, then runs to its end",
  setups: [SQLITE],
  run: (c) =>
    withDeployment(c, {}, async (deployment) => {
      const [files, kills] = [c.size(200, 20), c.size(20, 2)]
      const folder = join(deployment.dir, "notes")
      mkdirSync(folder)
      for (let i = 0; i < files; i++) writeFileSync(join(folder, `${i}.md`), textOf(i))
      const env = {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...deployment.settings,
      } as unknown as NodeJS.ProcessEnv
      const documents = () => deployment.number("select count(*) from documents")
      let hit = 0
      for (let k = 0; k < kills; k++) {
        const before = await documents()
        const child = spawn(process.execPath, [CLI, "ingest", folder], { env, stdio: "ignore" })
        const ended = once(child, "exit")
        while ((await documents()) === before && child.exitCode === null) await sleep(2)
        await sleep(Math.random() * 40)
        child.kill("SIGKILL")
        const [, signal] = await ended
        if (signal === "SIGKILL") hit++
      }
      c.check(`${kills} kills hit`, hit === kills, hit)
      const left = chunksByDocument(deployment)
      const ingest = async () =>
        JSON.parse(
          (await promisify(execFile)(process.execPath, [CLI, "ingest", folder], { env })).stdout,
        ) as IngestResponse
      const last = await ingest()
      const complete = chunksByDocument(deployment)
      c.check("all files are stored", complete.size === files, complete.size)
      const partial = [...left].filter(([source, n]) => n !== complete.get(source)).length
      c.check("no document is stored partially", partial === 0, partial)
      c.check(
        "only missing documents are embedded",
        last.unchanged === left.size && last.ingested === files - left.size,
      )
      const again = await ingest()
      c.check("a further run embeds nothing", again.unchanged === files && again.ingested === 0, again.ingested)
      const counts = await deployment.store.documents.getCounts()
      const rows = [counts.chunks, counts.textRows, counts.vectors]
      c.check("there are as many chunks as text rows and vectors", new Set(rows).size === 1, rows.join())
      c.check("integrity_check", deployment.sqlite.pragma("integrity_check", { simple: true }) === "ok")
      return `${hit} kills left ${left.size} complete documents and ${partial} incomplete ones; the last run ingested the ${last.ingested} missing ones; ${rows.join(" = ")} chunks, text rows and vectors`
    }),
}
