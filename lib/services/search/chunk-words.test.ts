import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { splitTranscript } from "../../documents/clip-chunks.ts"
import { packageRoot } from "../../platform/package-root.ts"
import { openDatabase } from "../../storage/database/open.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { openSqliteStore } from "../../storage/stores/sqlite/index.ts"
import { loadChunkWords, toAnswerTexts } from "./chunk-words.ts"
import { locateCitations } from "./citations.ts"

/** Speech without punctuation: a pause of 0.5 s after every tenth word, and two speakers in turn, 100 words each. */
const words = Array.from({ length: 400 }, (_, i) => {
  const start = Number((i * 0.4 + Math.floor(i / 10) * 0.5).toFixed(3))
  return { word: `word${i}`, start, end: start + 0.3, speaker: `${Math.floor(i / 100) % 2}` }
})

describe.each([
  ["stored with their words", true],
  ["of an older version, without their words", false],
])("chunks of a clip %s", (_, hasWords) => {
  let dir: string
  let store: Store
  const load = async () => ({ store, index: store.documents, chunks: await store.documents.getClipChunks("c") })
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "earmark-chunks-"))
    store = openSqliteStore(
      openDatabase({ path: join(dir, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle") }),
    )
    const clip = { title: "Talk", source_url: null, file_path: null }
    const engine = { language: "en", speech_engine: null, whisper_model: null, file_path: null }
    await store.clips.saveTranscript("c", clip, { words, duration_s: 200, ...engine })
    const chunks = splitTranscript({ title: "Talk", transcription: words }, 1000).map(({ words, ...chunk }) => ({
      ...chunk,
      ...(hasWords && { words }),
      vector: Float32Array.of(1),
    }))
    await store.documents.put({ id: "d", kind: "clip", source: "c", fingerprint: "", embedModel: "m", chunks })
  })
  afterEach(async () => {
    await store.close()
    rmSync(dir, { recursive: true })
  })

  it("have the words of the transcript", async () => {
    const { chunks, ...deps } = await load()
    expect(chunks.length).toBeGreaterThan(3)
    const readTranscript = vi.spyOn(store.clips, "get")
    const loaded = await loadChunkWords(deps, chunks)
    expect(readTranscript).toHaveBeenCalledTimes(hasWords ? 0 : 1)
    const all = chunks.flatMap(({ row }) => loaded.get(row)!)
    expect(all.map((w) => [w.word, w.speaker])).toEqual(words.map((w) => [w.word, w.speaker]))
    all.forEach((word, i) => {
      expect(word.start).toBeCloseTo(words[i]!.start, 6)
      expect(word.end).toBeCloseTo(words[i]!.end, 6)
    })
  })
  it("have sentence breaks at pauses and turns", async () => {
    const { chunks, ...deps } = await load()
    const sentences = (await toAnswerTexts(deps, chunks)).flatMap((text) => text.split("\n\n"))
    expect(sentences).toHaveLength(40)
    expect(sentences[1]).toBe(Array.from({ length: 10 }, (_, i) => `word${10 + i}`).join(" "))
  })
  it("have the words of the wanted speakers only", async () => {
    const { chunks, ...deps } = await load()
    await store.clips.update("c", { speakers: { "1": "Grace" } })
    const said = (await toAnswerTexts(deps, chunks, ["grace", "Nobody"])).flatMap((text) => text.split(/\s+/))
    expect(said.filter(Boolean)).toEqual(words.filter(({ speaker }) => speaker === "1").map(({ word }) => word))
  })
  it("give each citation the time of its sentence", async () => {
    const { chunks, ...deps } = await load()
    const quoted = words.slice(230, 240).map((w) => w.word)
    const source = 1 + chunks.findIndex(({ text }) => text.includes(quoted.join(" ")))
    const citations = await locateCitations(deps, `${quoted.join(" ")} [${source}] unknown words [1]`, chunks)
    expect(citations).toEqual([
      { source, start_s: words[230]!.start },
      { source: 1, start_s: 0 },
    ])
  })
})
