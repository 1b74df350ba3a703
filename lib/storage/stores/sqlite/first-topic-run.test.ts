import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { packageRoot } from "../../../platform/package-root.ts"
import { openDatabase } from "../../database/open.ts"
import { topicsOf, transcriptOf, treeOf } from "../testing/fixtures.ts"
import { openSqliteStore } from "./index.ts"

const folder = mkdtempSync(join(tmpdir(), "earmark-topic-runs-"))
afterAll(() => rmSync(folder, { recursive: true }))

it("keeps a tree that was written before topic runs were stored as the first run", async () => {
  const handle = openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle)
  await store.clips.saveTranscript("talk", { title: "talk", source_url: null, file_path: null }, transcriptOf("one"))
  await store.topics.save("talk", topicsOf("old"))
  handle.raw.prepare("delete from topic_runs").run()
  await store.topics.save("talk", topicsOf("new"))
  const runs = (await store.topics.listRuns("talk"))!
  const trees = await Promise.all(runs.map(async ({ id }) => (await store.topics.getRun(id))?.tree))
  expect(trees).toHaveLength(2)
  expect(trees).toEqual(expect.arrayContaining([treeOf("old"), treeOf("new")]))
  await store.close()
})
