import { createHash } from "node:crypto"
import { AppError } from "../../domain/errors.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { PointSet } from "../../map/types.ts"
import type { MapSnapshot } from "../../storage/stores/ports/map.ts"
import type { Store } from "../../storage/stores/ports/store.ts"

/** The topics of the map with their vectors. Points stand in the snapshot's order, whatever is computed later. */
export type Content = {
  readonly snapshot: MapSnapshot
  readonly model: string
  /** Row → hash of the embedded text. */
  readonly hashes: readonly string[]
  readonly points: PointSet
  /** Equal for equal texts in equal order under one model: what may be computed once. */
  readonly key: string
}

/**
 * Reads the map's topics and their vectors; vectors that are missing are made and kept.
 *
 * @param before what was there a moment ago: its vectors are not read again.
 * @throws AppError `unavailable` when a vector is missing and the embedder cannot be reached.
 */
export const readContent = async (store: Store, embedder: Embedder, before: Content | null): Promise<Content> => {
  const snapshot = await store.map.getSnapshot()
  const model = embedder.name
  const texts = new Map(snapshot.topics.map((t) => [t.hash, t.text]))
  const hashes = [...texts.keys()]
  const rowByHash = new Map(hashes.map((hash, row) => [hash, row]))
  const key = keyOf(model, snapshot)
  if (before?.key === key) return { ...before, snapshot }
  const vectors = await vectorsOf(store, embedder, texts, before?.model === model ? before : null)
  return {
    snapshot,
    model,
    hashes,
    key,
    points: {
      ...matrixOf(hashes, vectors, model),
      rowOf: Int32Array.from(snapshot.topics, (t) => rowByHash.get(t.hash)!),
    },
  }
}

const keyOf = (model: string, snapshot: MapSnapshot): string => {
  const hash = createHash("sha256").update(model)
  for (const topic of snapshot.topics) hash.update("\n").update(topic.hash)
  return hash.digest("base64url")
}

const vectorsOf = async (
  store: Store,
  embedder: Embedder,
  texts: ReadonlyMap<string, string>,
  before: Content | null,
): Promise<Map<string, Float32Array>> => {
  const vectors = new Map<string, Float32Array>()
  before?.hashes.forEach((hash, row) => {
    const { vectors: all, dims } = before.points
    if (texts.has(hash)) vectors.set(hash, all.subarray(row * dims, (row + 1) * dims))
  })
  const unread = [...texts.keys()].filter((hash) => !vectors.has(hash))
  for (const [hash, vector] of await store.map.getVectors(embedder.name, unread)) vectors.set(hash, vector)
  const missing = unread.filter((hash) => !vectors.has(hash))
  if (missing.length > 0) {
    const made = await embedder.embed(
      missing.map((hash) => texts.get(hash)!),
      "document",
    )
    const kept = missing.map((hash, i) => ({ hash, vector: made[i]! }))
    await store.map.putVectors(embedder.name, kept)
    for (const { hash, vector } of kept) vectors.set(hash, vector)
  }
  return vectors
}

/** One flat matrix on shared memory: the compute thread reads it without a copy. */
const matrixOf = (hashes: readonly string[], vectors: ReadonlyMap<string, Float32Array>, model: string) => {
  const rows = hashes.length
  const dims = rows === 0 ? 0 : vectors.get(hashes[0]!)!.length
  const matrix = new Float32Array(new SharedArrayBuffer(rows * dims * Float32Array.BYTES_PER_ELEMENT))
  hashes.forEach((hash, row) => {
    const vector = vectors.get(hash)!
    if (vector.length !== dims)
      throw new AppError(
        "internal",
        `Vectors of ${model} have ${dims} and ${vector.length} numbers: another model took its name. Give SERVICE_EMBED_MODEL a name with a tag of its own.`,
      )
    matrix.set(vector, row * dims)
  })
  return { vectors: matrix, rows, dims }
}
