import fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import type { QueryScope } from "../../../domain/documents.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { createBuiltinEmbedder } from "../../../engines/embedding/builtin.ts"
import { loadConfig } from "../../../platform/config/config.ts"
import { createLogger } from "../../../platform/logger.ts"
import {
  type ChunkFilter,
  type DocumentIndex,
  type DocumentKind,
  includesKind,
} from "../../../storage/stores/ports/documents.ts"
import type { Store } from "../../../storage/stores/ports/store.ts"
import { indexClips } from "../../documents/index-clips.ts"
import { retrieve } from "../retrieve.ts"

const signal = new AbortController().signal
const embedder = createBuiltinEmbedder()
const config = loadConfig({ SERVICE_CHUNK_SIZE: "100", SERVICE_CHUNK_OVERLAP: "10" })
const TERMS = ["honey", "tides", "rocket", "harbor", "comet", "garden"]
const TAGS = ["Interview", "Draft", "Board"]
const NAMES = ["Ada", "Grace", "Linus"]
const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2025, 0, 1)
const CLIPS = Array.from({ length: 8 }, (_, i) => `clip-${i}`)
const FILES = Array.from({ length: 4 }, (_, i) => `file-${i}`)

/** What decides whether a chunk is in a filter. */
type Facts = {
  readonly kind: DocumentKind
  readonly id: string
  readonly time: number
  readonly tags: readonly string[]
  /** The names of those who speak in the chunk. */
  readonly names: readonly string[]
  readonly middle_s: number
}

const has = <T>(wanted: readonly T[] | undefined, own: readonly T[]): boolean =>
  wanted === undefined || wanted.some((value) => own.includes(value))
const lower = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase())

const isInside = (facts: Facts, scope: QueryScope, filter: ChunkFilter): boolean => {
  const { clipIds, tags, speakers, sections, documents, after = -Infinity, before = Infinity } = filter
  if (!includesKind(facts.kind, { scope, filter }) || facts.time < after || facts.time >= before) return false
  if (facts.kind === "file") return has(documents, [facts.id])
  return (
    has(clipIds, [facts.id]) &&
    has(tags && lower(tags), lower(facts.tags)) &&
    has(speakers && lower(speakers), lower(facts.names)) &&
    (sections === undefined ||
      sections.some((s) => s.clipId === facts.id && facts.middle_s >= s.start_s && facts.middle_s < s.end_s))
  )
}

/** Each sentence is spoken by another speaker and contains the word that every question asks about. */
const wordsOf = (clip: number): WordSpan[] =>
  Array.from({ length: 12 }, (_, sentence) =>
    `bees like the ${TERMS[(clip + sentence) % TERMS.length]} number ${sentence} of hive ${clip} very much.`
      .split(" ")
      .map((word) => ({ word, speaker: String((clip + (sentence >> 1)) % 3) })),
  )
    .flat()
    .map((word, i) => ({ ...word, start: i / 2, end: i / 2 + 0.4 }))

const namesOf = (clip: number): Record<string, string> => ({ "0": NAMES[clip % 3]!, "1": NAMES[(clip + 1) % 3]! })
const tagsOf = (clip: number): string[] => TAGS.filter((_, i) => (clip >> i) % 2 === 1)

const saveClips = async (store: Store): Promise<void> => {
  for (const [i, id] of CLIPS.entries()) {
    const named = { title: `Talk ${i}`, source_url: null, file_path: null }
    const published_at = i % 2 === 0 ? new Date(FIRST_DAY + i * DAY_MS).toISOString() : null
    await store.clips.saveTranscript(
      id,
      { ...named, ...(published_at && { published_at }) },
      {
        words: wordsOf(i),
        duration_s: 60,
        language: "en",
        speech_engine: null,
        whisper_model: null,
        file_path: null,
        ...(published_at && { published_at }),
      },
    )
    await store.clips.update(id, { speakers: namesOf(i), add_tags: tagsOf(i) })
  }
}

const putFiles = async (index: DocumentIndex): Promise<void> => {
  for (const [i, id] of FILES.entries()) {
    const texts = TERMS.slice(0, 3).map((term) => `Bees and the ${term} are chapter ${i} of this document.`)
    const vectors = await embedder.embed(texts, "document")
    await index.put({
      id,
      kind: "file",
      source: `/${id}.md`,
      fingerprint: "f",
      embedModel: embedder.name,
      chunks: texts.map((text, c) => ({ text, context: "", metadata: { page: c + 1 }, vector: vectors[c]! })),
    })
  }
}

/** Stores recordings without a database, on the first day: they have no tags, names of speakers and date of publication. */
const putClipsWithoutStore = async (index: DocumentIndex): Promise<void> => {
  vi.useFakeTimers({ toFake: ["Date"], now: FIRST_DAY })
  for (const [i, id] of CLIPS.entries()) {
    const text = `bees like the ${TERMS[i % TERMS.length]}`
    const [vector] = await embedder.embed([text], "document")
    const chunks = [{ text, context: "", metadata: { start_s: 0, end_s: 4 }, vector: vector! }]
    await index.put({
      id: `document-${id}`,
      kind: "clip",
      source: id,
      fingerprint: "f",
      embedModel: embedder.name,
      chunks,
    })
  }
  vi.useRealTimers()
}

const loadFacts = async (index: DocumentIndex, store: Store | null): Promise<Map<number, Facts>> => {
  const facts = new Map<number, Facts>()
  const writtenAt = new Map((await index.listFiles()).map((file) => [file.id, file.writtenAt]))
  const unknown = { tags: [], names: [], middle_s: -1 }
  for (const id of FILES)
    for (const { row } of (await index.getFile(id))!.chunks)
      facts.set(row, { kind: "file", id, time: writtenAt.get(id)!, ...unknown })
  const listed = store ? (await store.clips.list({ limit: 100 })).clips : []
  for (const id of CLIPS) {
    const clip = listed.find((entry) => entry.id === id)
    const chunks = await index.getClipChunks(id)
    const words = await index.getWords(chunks.map(({ row }) => row))
    const time = clip ? Date.parse(clip.published_at ?? clip.created_at) : FIRST_DAY
    for (const { row, metadata } of chunks) {
      const names = (words.get(row) ?? []).flatMap(({ speaker }) => clip?.speakers[speaker] ?? [])
      const middle_s = store ? (metadata.start_s! + metadata.end_s!) / 2 : -1
      facts.set(row, { kind: "clip", id, time, tags: clip?.tags ?? [], names, middle_s })
    }
  }
  return facts
}

/** Most conditions are absent, so that most filters leave something. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const some = <T>(values: readonly T[]) =>
  maybe(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }))

const section = (clipId: string) =>
  fc.record({ clipId: fc.constant(clipId), start_s: fc.nat(30), end_s: fc.integer({ min: 31, max: 60 }) })

const questions = (times: readonly number[]) =>
  fc.record({
    scope: fc.constantFrom<QueryScope>("all", "all", "clips", "documents"),
    topK: fc.integer({ min: 1, max: 12 }),
    term: fc.constantFrom(...TERMS),
    filter: fc.record({
      clipIds: some([...CLIPS, "unknown"]),
      tags: some([...TAGS, "board", "none"]),
      speakers: some([...NAMES, "ada", "Nobody"]),
      documents: some([...FILES, "unknown"]),
      sections: maybe(
        fc
          .uniqueArray(fc.constantFrom(...CLIPS), { minLength: 1, maxLength: 4 })
          .chain((ids) => fc.tuple(...ids.map(section))),
      ),
      after: maybe(fc.constantFrom(...times)),
      before: maybe(fc.constantFrom(...times)),
    }),
  })

type RandomQuestion = ReturnType<typeof questions> extends fc.Arbitrary<infer Q> ? Q : never

/**
 * Tests that retrieval answers from the chunks in a filter only, and finds all of them. `open` creates an empty index,
 * with the store that it belongs to.
 */
export const testQueryFilters = (
  name: string,
  open: () => Promise<{ index: DocumentIndex; store: Store | null; close(): Promise<void> }>,
  { count = 1000 }: { readonly count?: number } = {},
) =>
  describe(`filters of questions on ${name}`, () => {
    it(`let no source through that is outside, in ${count} random filters`, { timeout: 120_000 }, async () => {
      const { index, store, close } = await open()
      try {
        const deps = { index, store, config, log: createLogger("silent", "test") }
        await putFiles(index)
        if (store) {
          await saveClips(store)
          await indexClips(deps, embedder, signal)
        } else await putClipsWithoutStore(index)
        const facts = await loadFacts(index, store)
        const times = [...new Set([...facts.values()].map(({ time }) => time))].flatMap((time) => [time, time + 1])
        let found = 0
        const check = async ({ scope, filter, topK, term }: RandomQuestion): Promise<void> => {
          const inside = [...facts].filter(([, own]) => isInside(own, scope, filter))
          const question = `What do bees think of the ${term}?`
          const sources = await retrieve(deps, embedder, { question, scope, filter, topK, signal })
          const rows = inside.map(([row]) => row)
          expect(sources.filter(({ chunk }) => !rows.includes(chunk.row))).toEqual([])
          // Every chunk contains the word "bees".
          expect(sources).toHaveLength(Math.min(topK, inside.length))
          const idsOf = (kind: DocumentKind) =>
            new Set(inside.filter(([, own]) => own.kind === kind).map(([, own]) => own.id))
          const counted = await index.countInScope({ scope, filter })
          expect(counted).toEqual({ clips: idsOf("clip").size, files: idsOf("file").size, chunks: inside.length })
          found += Math.min(1, sources.length)
        }
        // Ten at a time, which share the connections of a database.
        const ten = fc.array(questions(times), { minLength: 10, maxLength: 10 })
        await fc.assert(
          fc.asyncProperty(ten, async (asked) => void (await Promise.all(asked.map(check)))),
          { numRuns: count / 10 },
        )
        // Filters that leave nothing prove little.
        expect(found).toBeGreaterThan(count / 5)
      } finally {
        await close()
      }
    })
  })
