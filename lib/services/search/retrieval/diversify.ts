import type { Hit } from "../../../storage/stores/ports/documents.ts"

/** Passages with a cosine from here on say the same in nearly the same words. */
const NEAR_DUPLICATE = 0.95

const cosine = (a: Float32Array, b: Float32Array): number => {
  if (a.length !== b.length) return 0
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/**
 * The first `count` hits of which none is nearly the same as one before it; near-duplicates follow only when there is
 * nothing else. Vectors of unit length, by row.
 */
export const diversify = (hits: readonly Hit[], vectors: ReadonlyMap<number, Float32Array>, count: number): Hit[] => {
  const chosen: Hit[] = []
  const repeats: Hit[] = []
  for (const hit of hits) {
    if (chosen.length === count) break
    const own = vectors.get(hit.row)
    const known = own && chosen.some(({ row }) => vectors.has(row) && cosine(vectors.get(row)!, own) >= NEAR_DUPLICATE)
    if (known) repeats.push(hit)
    else chosen.push(hit)
  }
  return [...chosen, ...repeats.slice(0, count - chosen.length)]
}
