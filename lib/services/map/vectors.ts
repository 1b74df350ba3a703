import type { TermSpace } from "../../map/types.ts"

/** The vectors of the topics of the map, by key. Topics with equal content share a key. All have unit length. */
export type TopicVectors = {
  readonly model: string
  /** The key of each topic, in the order of the snapshot. */
  readonly keys: readonly string[]
  readonly vectors: ReadonlyMap<string, Float32Array>
  /** The space of the vectors, if the embedder is lexical. */
  readonly space: { readonly key: string; readonly terms: TermSpace } | null
}

/** Scales a vector to unit length. The zero vector, of a text without known terms, gets a constant direction. */
export const toUnit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector)
  if (length > 0) return vector.map((x) => x / length)
  const unit = new Float32Array(Math.max(1, vector.length))
  unit[0] = 1
  return unit
}
