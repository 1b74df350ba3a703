import { AppError } from "../../domain/errors.ts"

/** Scales a vector to unit length. Returns null for a vector that has none. */
const normalizeVector = (vector: readonly number[]): Float32Array | null => {
  const length = Math.hypot(...vector)
  return length > 0 && Number.isFinite(length) ? Float32Array.from(vector, (v) => v / length) : null
}

/**
 * Returns a function that checks the vectors of a batch of `count` texts and scales them to unit length. All
 * batches must have the same number of dimensions.
 * @throws AppError if the server returned something else
 */
export const createVectorCheck = (
  model: string,
): ((vectors: readonly (readonly unknown[])[] | undefined, count: number) => Float32Array[]) => {
  let dimensions: number | undefined
  const createError = (what: string) =>
    new AppError(
      "unavailable",
      `The embedding model '${model}' ${what}. Try again, or set SERVICE_EMBED_MODEL to another model.`,
      { retry: "retry" },
    )
  return (vectors, count) => {
    if (!vectors) throw createError("returned no vectors")
    if (vectors.length !== count) throw createError(`returned ${vectors.length} vectors for ${count} texts`)
    return vectors.map((vector) => {
      // A model with broken weights computes NaN, which servers write as null.
      if (!vector.every((value): value is number => typeof value === "number"))
        throw createError("returned a vector with values that are not numbers")
      if (vector.length === 0) throw createError("returned a vector without dimensions")
      dimensions ??= vector.length
      if (vector.length !== dimensions)
        throw createError(`returned ${vector.length} dimensions instead of ${dimensions}`)
      const scaled = normalizeVector(vector)
      if (!scaled) throw createError("returned a vector of length zero")
      return scaled
    })
  }
}
