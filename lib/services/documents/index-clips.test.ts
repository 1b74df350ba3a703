import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { Embedder } from "../../engines/language/types.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { createLogger } from "../../platform/logger.ts"
import { packageRoot } from "../../platform/package-root.ts"
import { openDatabase } from "../../storage/database/open.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { openSqliteStore } from "../../storage/stores/sqlite/index.ts"
import { transcriptOf } from "../../storage/stores/testing/fixtures.ts"
import { indexClips } from "./index-clips.ts"

const ID = "c1c1c1c1-0000-4000-8000-000000000000"
const signal = new AbortController().signal
let dir: string
let store: Store
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "earmark-index-"))
  store = openSqliteStore(
    openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") }),
  )
  const named = { title: "talk", source_url: null, file_path: null }
  await store.clips.saveTranscript(ID, named, transcriptOf("the boat sinks"))
})
afterEach(async () => {
  await store.close()
  rmSync(dir, { recursive: true })
})

/** Indexes with an embedder during whose first call `meanwhile` runs. Returns the number of calls. */
const indexWhile = async (meanwhile: () => Promise<unknown>): Promise<number> => {
  let calls = 0
  const embed: Embedder["embed"] = async (texts) => {
    if (++calls === 1) await meanwhile()
    return texts.map(() => Float32Array.of(1, 0))
  }
  const embedder = { name: "test", embed } as Partial<Embedder> as Embedder
  const deps = { store, index: store.documents, config: loadConfig({ SERVICE_DATA_DIR: dir }) }
  await indexClips({ ...deps, log: createLogger("silent", "test") }, embedder, signal)
  return calls
}
const indexedTexts = async () => (await store.documents.getClipChunks(ID)).map((chunk) => chunk.text)

it("indexes the corrected words of a clip that is edited while it is indexed", async () => {
  const edit = { kind: "text" as const, start_s: 1, end_s: 1.5, words: ["ship"] }
  const calls = await indexWhile(() => store.clips.editWords(ID, [edit]))
  expect(calls).toBe(2)
  expect(await indexedTexts()).toEqual(["the ship sinks"])
})

it("indexes the new title of a clip that is renamed while it is indexed", async () => {
  expect(await indexWhile(() => store.clips.update(ID, { title: "Sailing" }))).toBe(2)
  expect((await store.documents.getClipChunks(ID)).map(({ metadata }) => metadata.title)).toEqual(["Sailing"])
})

it("indexes a clip again after it was renamed, and not if its title stays the same", async () => {
  await indexWhile(async () => {})
  await store.clips.update(ID, { title: "talk", speakers: { "0": "Ada" } })
  expect(await indexWhile(async () => {})).toBe(0)
  await store.clips.update(ID, { title: "Sailing" })
  expect(await indexWhile(async () => {})).toBe(1)
  const hits = await store.documents.searchText([{ words: ["sailing"], weight: 1 }], { scope: "clips", limit: 5 })
  expect(hits).toHaveLength(1)
})

it("leaves no chunks of a clip that is deleted while it is indexed", async () => {
  await indexWhile(() => store.clips.delete(ID))
  expect(await indexedTexts()).toEqual([])
  expect(await store.documents.searchText([{ words: ["boat"], weight: 1 }], { scope: "all", limit: 5 })).toEqual([])
})

it("embeds an unchanged clip once", async () => {
  expect(await indexWhile(async () => {})).toBe(1)
  expect(await indexWhile(async () => {})).toBe(0)
})
