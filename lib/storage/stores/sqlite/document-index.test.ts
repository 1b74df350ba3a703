import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../../../platform/package-root.ts"
import { openDatabase } from "../../database/open.ts"
import { documentOf, testDocumentIndex } from "../testing/documents.testsuite.ts"
import { openSqliteStore } from "./index.ts"

const open = () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-documents-"))
  const handle = openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") })
  const store = openSqliteStore(handle)
  const close = async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  }
  return { store, handle, index: store.documents, close }
}

testDocumentIndex("SQLite", async () => open())

describe("documents of clips", () => {
  const words = (text: string) => text.split(" ").map((word, i) => ({ word, start: i, end: i + 1, speaker: "0" }))
  const columns = (text: string) => ({
    words: words(text),
    duration_s: 9,
    language: "en",
    speech_engine: null,
    whisper_model: null,
    file_path: null,
  })
  it("lists clips without chunks, and deletes chunks with their transcript and clip", async () => {
    const { store, handle, index, close } = open()
    const named = { title: "Talk", source_url: null, file_path: null }
    await store.clips.saveTranscript("c1", named, columns("bees dance"))
    expect(await index.listClipsWithoutChunks("m")).toEqual(["c1"])
    const clipDocument = documentOf("c1", ["bees dance"], { kind: "clip", id: "d1", embedModel: "m" })
    await index.put(clipDocument)
    expect(await index.listClipsWithoutChunks("m")).toEqual([])
    expect(await index.listClipsWithoutChunks("another model")).toEqual(["c1"])
    await store.clips.saveTranscript("c1", named, columns("wasps sting"))
    expect(await index.listClipsWithoutChunks("m")).toEqual(["c1"])
    await index.put(clipDocument)
    handle.raw.prepare("delete from clips where id = 'c1'").run()
    expect(await index.getCounts()).toEqual({ documents: 0, chunks: 0, textRows: 0, vectors: 0 })
    await close()
  })
})
