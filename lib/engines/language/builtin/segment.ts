/** Numbered terms of consecutive units of text: unit u holds `ids[offsets[u]]` to `ids[offsets[u + 1]]` (exclusive). */
export type Units = { readonly ids: Int32Array; readonly offsets: Int32Array; readonly vocabulary: number }

export type SegmentOptions = {
  /** What every cut costs, in nats. */
  readonly penalty: number
  /** Nats given back for a cut before unit u, negative to discourage it (length: units). */
  readonly bonus?: Float64Array
  /** Strength of the preference for segments of like size, in nats: the exponent of a Dirichlet prior on their shares. */
  readonly evenness?: number
}

/** Concentration of the Dirichlet prior from which each segment draws its distribution of words. */
const ALPHA = 0.3

const logTable = (size: number, offset: number): Float64Array =>
  Float64Array.from({ length: size }, (_, i) => Math.log(i + offset))

/**
 * Cuts text where its vocabulary changes: the most probable segmentation, found by dynamic programming over all of
 * them (Utiyama & Isahara 2001, "A statistical model for domain-independent text segmentation"), when every segment
 * draws its words from a distribution of its own under a Dirichlet prior (Eisenstein & Barzilay 2008, "Bayesian
 * unsupervised topic segmentation") and every cut costs a penalty. The number of segments is part of the result.
 *
 * @returns the units that begin a new segment, rising, never 0. Time O(units × terms), memory O(units + terms)
 */
export const segment = (units: Units, { penalty, bonus, evenness = 0 }: SegmentOptions): number[] => {
  const { ids, offsets, vocabulary } = units
  const count = offsets.length - 1
  if (count < 2) return []
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(count + 1)
  const seen = new Int32Array(vocabulary)
  // A segment of n words, word w in it c(w) times, costs Σ log(0…n−1 + αV) − Σ log(0…c(w)−1 + α).
  const logCount = logTable(ids.length + 1, ALPHA)
  const logShare = logTable(count + 1, 0).map((log) => evenness * (Math.log(count) - log))
  const lengthCost = new Float64Array(ids.length + 1)
  for (let n = 0; n < ids.length; n++) lengthCost[n + 1] = lengthCost[n]! + Math.log(n + ALPHA * vocabulary)

  best[0] = 0
  for (let i = 0; i < count; i++) {
    seen.fill(0)
    let saved = 0
    const base = best[i]! + (i > 0 ? penalty - (bonus?.[i] ?? 0) : 0)
    const start = offsets[i]!
    for (let j = i; j < count; j++) {
      const end = offsets[j + 1]!
      for (let t = offsets[j]!; t < end; t++) {
        const c = seen[ids[t]!]!
        saved += logCount[c]!
        seen[ids[t]!] = c + 1
      }
      const cost = base + lengthCost[end - start]! - saved + logShare[j + 1 - i]!
      if (cost < best[j + 1]!) {
        best[j + 1] = cost
        from[j + 1] = i
      }
    }
  }
  const cuts: number[] = []
  for (let u = from[count]!; u > 0; u = from[u]!) cuts.push(u)
  return cuts.reverse()
}
