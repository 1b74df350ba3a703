import { createHash } from "node:crypto"
import { AppError } from "../../domain/errors.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { PointSet } from "../../map/types.ts"
import type { MapSnapshot } from "../../storage/stores/ports/map.ts"
import type { Store } from "../../storage/stores/ports/store.ts"

/** The topics of the map with their vectors. Points are in the order of the snapshot. */
export type MapContent = {
  readonly snapshot: MapSnapshot
  readonly model: string
  /** Row → hash of the embedded text. */
  readonly hashes: readonly string[]
  readonly points: PointSet
  /** Identifies the texts, their order and the embedding model. Anything computed from these can be cached by it. */
  readonly key: string
}

/**
 * Loads the topics of the map and their vectors. Computes and stores missing vectors.
 * @param previous content whose vectors are reused instead of read
 * @throws AppError `unavailable` if a vector is missing and the embedding model is unreachable
 */
export const loadMapContent = async (
  store: Store,
  embedder: Embedder,
  previous: MapContent | null,
): Promise<MapContent> => {
  const snapshot = await store.map.getSnapshot()
  const model = embedder.name
  const key = computeKey(model, snapshot)
  if (previous?.key === key) return { ...previous, snapshot }
  const texts = new Map(snapshot.topics.map((topic) => [topic.hash, topic.text]))
  const hashes = [...texts.keys()]
  const rowByHash = new Map(hashes.map((hash, row) => [hash, row]))
  const vectors = await loadVectors(store, embedder, texts, previous?.model === model ? previous : null)
  const rowOf = Int32Array.from(snapshot.topics, (topic) => rowByHash.get(topic.hash)!)
  return { snapshot, model, hashes, key, points: { ...buildMatrix(hashes, vectors, model), rowOf } }
}

const computeKey = (model: string, snapshot: MapSnapshot): string => {
  const hash = createHash("sha256").update(model)
  for (const topic of snapshot.topics) hash.update("\n").update(topic.hash)
  return hash.digest("base64url")
}

/** Returns the vectors by hash: from the previous content, from the store, or newly embedded. */
const loadVectors = async (
  store: Store,
  embedder: Embedder,
  texts: ReadonlyMap<string, string>,
  previous: MapContent | null,
): Promise<Map<string, Float32Array>> => {
  const vectors = new Map<string, Float32Array>()
  previous?.hashes.forEach((hash, row) => {
    const { vectors: matrix, dims } = previous.points
    if (texts.has(hash)) vectors.set(hash, matrix.subarray(row * dims, (row + 1) * dims))
  })
  const unread = [...texts.keys()].filter((hash) => !vectors.has(hash))
  for (const [hash, vector] of await store.map.getVectors(embedder.name, unread)) vectors.set(hash, vector)
  const missing = unread.filter((hash) => !vectors.has(hash))
  if (missing.length > 0) {
    const embedded = await embedder.embed(
      missing.map((hash) => texts.get(hash)!),
      "document",
    )
    const added = missing.map((hash, i) => ({ hash, vector: embedded[i]! }))
    await store.map.putVectors(embedder.name, added)
    for (const { hash, vector } of added) vectors.set(hash, vector)
  }
  return vectors
}

/** Builds one flat matrix in shared memory, so that the map thread reads it without a copy. */
const buildMatrix = (hashes: readonly string[], vectors: ReadonlyMap<string, Float32Array>, model: string) => {
  const rows = hashes.length
  const dims = rows === 0 ? 0 : vectors.get(hashes[0]!)!.length
  const matrix = new Float32Array(new SharedArrayBuffer(rows * dims * Float32Array.BYTES_PER_ELEMENT))
  hashes.forEach((hash, row) => {
    const vector = vectors.get(hash)!
    if (vector.length !== dims)
      throw new AppError(
        "internal",
        `Couldn't build the map: the vectors of ${model} have both ${dims} and ${vector.length} dimensions, because the name now refers to another model. Set SERVICE_EMBED_MODEL to a name with a tag.`,
      )
    matrix.set(vector, row * dims)
  })
  return { vectors: matrix, rows, dims }
}
