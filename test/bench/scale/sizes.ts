import { sha256 } from "#lib/domain/ids.ts"
import { topicEmbeddingText } from "#lib/domain/topics/topic-tree.ts"
import { randomFrom } from "#lib/map/layout/random.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openPostgres } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { documentOf } from "#lib/storage/stores/testing/documents.testsuite.ts"
import { migrationsDir } from "../../fixtures/postgres.ts"
import { syntheticVectors } from "../viz/synthetic.ts"

const CLIPS = 200
const MINUTES = 30
const WORDS = 150 * MINUTES
const TOPICS = 20
const CHUNKS = 34
const DIMS = 256
const MODEL = "bench"

const random = randomFrom(7)
const letters = (n: number) =>
  Array.from({ length: n }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join("")
/** Words from the most to the least frequent one. */
const vocabulary = Array.from({ length: 8_000 }, (_, k) => letters(2 + Math.min(9, Math.floor(Math.log2(k + 2)))))
/** Returns a random word: the k-th of the vocabulary with a probability proportional to 1/k (Zipf's law). */
const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? vocabulary[0]!
const phrase = (n: number) => Array.from({ length: n }, word).join(" ")

/** Returns the bytes that a recording of half an hour needs in each of the ten largest tables, including indexes. */
export const measureRecordingBytes = async (url: string): Promise<Record<string, number>> => {
  const handle = await openPostgres({ url, migrationsDir, maxConnections: 2, log: createLogger("error", "bench") })
  const store = openPostgresStore(handle)
  const { vectors } = syntheticVectors(CLIPS * (TOPICS + CHUNKS), DIMS)
  let used = 0
  const nextVector = () => vectors.slice(DIMS * used, DIMS * ++used)
  for (let n = 0; n < CLIPS; n++) {
    const id = `size-${n}`
    const words = Array.from({ length: WORDS }, (_, i) => ({
      word: i % 12 === 11 ? `${word()}.` : word(),
      start: Math.round(i * 40) / 100,
      end: Math.round(i * 40 + 30) / 100,
      speaker: String(Math.floor(i / 40) % 2),
    }))
    const details = { title: phrase(5), source_url: null, file_path: null }
    const columns = {
      words,
      duration_s: 60 * MINUTES,
      language: "en",
      speech_engine: null,
      whisper_model: null,
      file_path: null,
    }
    await store.clips.saveTranscript(id, details, columns)
    const topic = (i: number) => ({
      title: phrase(6),
      summary: phrase(25),
      start_s: i * 90,
      end_s: i * 90 + 90,
      children: [],
    })
    const children = Array.from({ length: TOPICS - 1 }, (_, i) => topic(i))
    const root = { ...topic(0), end_s: 60 * MINUTES, children }
    const topicVectors = [root, ...children].map((t) => ({ hash: sha256(topicEmbeddingText(t)), vector: nextVector() }))
    await store.topics.save(id, {
      tree: { topics: [root] },
      vectors: topicVectors,
      provider: "builtin",
      llm_model: null,
      embed_model: MODEL,
    })
    const texts = Array.from({ length: CHUNKS }, () => phrase(132))
    const document = documentOf(id, texts, { id, kind: "clip", embedModel: MODEL, fingerprint: sha256(id) })
    await store.documents.put({ ...document, chunks: document.chunks.map((c) => ({ ...c, vector: nextVector() })) })
  }
  await store.library.search({ q: vocabulary[100]!, limit: 1 })
  const { rows } =
    await handle.pool.query(`select relname as name, pg_total_relation_size(oid)::float8 / ${CLIPS} as bytes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 10`)
  await store.close()
  return Object.fromEntries(
    (rows as { name: string; bytes: number }[]).filter((r) => r.bytes > 500).map((r) => [r.name, Math.round(r.bytes)]),
  )
}
