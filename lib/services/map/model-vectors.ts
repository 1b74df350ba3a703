import type { Embedder } from "../../engines/language/types.ts"
import type { MapSnapshot, MapTopic } from "../../storage/stores/ports/map.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { indexClips } from "../documents/index-clips.ts"
import { type TopicVectors, toUnit } from "./vectors.ts"

export type ClipVectorDeps = Pick<Deps, "index" | "config" | "log"> & { readonly store: Store }

type Vectors = Map<string, Float32Array>

/**
 * Loads the vectors of topics from an embedding model: the mean vector of the chunks that are spoken in a topic, plus that of
 * its title and summary. Chunks are embedded once, for questions and for the map.
 */
export const loadModelVectors = async (
  deps: ClipVectorDeps,
  embedder: Embedder,
  { topics }: MapSnapshot,
  previous: TopicVectors | null,
): Promise<TopicVectors> => {
  const keys = topics.map((topic) => `${topic.speechHash}.${topic.hash}`)
  const vectors = new Map<string, Float32Array>()
  const missing: MapTopic[] = []
  keys.forEach((key, i) => {
    const known = previous?.vectors.get(key)
    if (known) vectors.set(key, known)
    else missing.push(topics[i]!)
  })
  const hashes = missing.flatMap((topic) => [topic.hash, topic.speechHash])
  const stored = await deps.store.map.getVectors(embedder.name, hashes)
  await embedTexts(deps.store, embedder, missing, stored)
  await averageChunks(deps, embedder, missing, stored)
  for (const { hash, speechHash } of missing) {
    const [text, speech] = [stored.get(hash)!, stored.get(speechHash)]
    vectors.set(`${speechHash}.${hash}`, speech ? toUnit(text.map((x, d) => x + speech[d]!)) : text)
  }
  return { model: embedder.name, keys, vectors, space: null }
}

/** Embeds the titles and summaries whose vectors are missing, stores the vectors, and adds them to `stored`. */
const embedTexts = async (
  { map }: Store,
  embedder: Embedder,
  topics: readonly MapTopic[],
  stored: Vectors,
): Promise<void> => {
  const texts = new Map(topics.filter(({ hash }) => !stored.has(hash)).map(({ hash, text }) => [hash, text]))
  if (texts.size === 0) return
  const embedded = await embedder.embed([...texts.values()], "document")
  const added = [...texts.keys()].map((hash, i) => ({ hash, vector: embedded[i]! }))
  await map.putVectors(embedder.name, added)
  for (const { hash, vector } of added) stored.set(hash, vector)
}

/**
 * Computes the mean vectors of the chunks of topics, stores them, and adds them to `stored`. A topic without chunks,
 * such as one of a clip without words, gets none.
 */
const averageChunks = async (
  deps: ClipVectorDeps,
  embedder: Embedder,
  topics: readonly MapTopic[],
  stored: Vectors,
): Promise<void> => {
  const open = topics.filter(({ speechHash }) => !stored.has(speechHash))
  if (open.length === 0) return
  await indexClips(deps, embedder, new AbortController().signal)
  const added: { hash: string; vector: Float32Array }[] = []
  for (const clipId of new Set(open.map((topic) => topic.clip_id))) {
    const chunks = await deps.index.getClipChunks(clipId)
    const rows = chunks.map(({ row }) => row)
    const vectors = await deps.index.getVectors(embedder.name, rows)
    for (const topic of open.filter((candidate) => candidate.clip_id === clipId)) {
      const shares = chunks.map(({ row, metadata }) => ({
        seconds: sharedSeconds(topic, metadata),
        vector: vectors.get(row),
      }))
      const vector = weightedMean(shares)
      if (vector && !stored.has(topic.speechHash)) {
        added.push({ hash: topic.speechHash, vector })
        stored.set(topic.speechHash, vector)
      }
    }
  }
  if (added.length > 0) await deps.store.map.putVectors(embedder.name, added)
}

const sharedSeconds = (
  { start_s, duration_s }: MapTopic,
  chunk: { readonly start_s?: number | undefined; readonly end_s?: number | undefined },
): number => Math.max(0, Math.min(start_s + duration_s, chunk.end_s ?? 0) - Math.max(start_s, chunk.start_s ?? 0))

const weightedMean = (
  items: readonly { readonly seconds: number; readonly vector: Float32Array | undefined }[],
): Float32Array | null => {
  let sum: Float32Array | null = null
  for (const { seconds, vector } of items) {
    if (seconds === 0 || !vector) continue
    sum ??= new Float32Array(vector.length)
    for (let d = 0; d < sum.length; d++) sum[d]! += seconds * vector[d]!
  }
  return sum && toUnit(sum)
}
