/** Term IDs of consecutive units of text. Unit u has the terms `ids[offsets[u]]` to `ids[offsets[u + 1]]` (exclusive). */
export type Units = { readonly ids: Int32Array; readonly offsets: Int32Array; readonly vocabulary: number }

export type SegmentOptions = {
  /** The cost of each cut, in nats. */
  readonly penalty: number
  /** Reduction of the cost of a cut before unit u, in nats, one value per unit. Negative values discourage a cut. */
  readonly bonus?: Float64Array
  /** Preference for segments of similar size, in nats: the exponent of a Dirichlet prior on their shares. */
  readonly evenness?: number
}

/** Concentration of the Dirichlet prior from which each segment draws its distribution of words. */
const ALPHA = 0.3

const logTable = (size: number, offset: number): Float64Array =>
  Float64Array.from({ length: size }, (_, i) => Math.log(i + offset))

/**
 * Cuts text where its vocabulary changes. Finds the most probable of all segmentations by dynamic programming (Utiyama &
 * Isahara 2001, "A statistical model for domain-independent text segmentation"). Each segment draws its words from its
 * own distribution under a Dirichlet prior (Eisenstein & Barzilay 2008, "Bayesian unsupervised topic segmentation"), and
 * each cut costs a penalty. The number of segments results from the penalty.
 *
 * Takes O(units × terms) time and O(units + terms) memory.
 * @returns the units that begin a new segment, in ascending order, without 0
 */
export const segment = (units: Units, { penalty, bonus, evenness = 0 }: SegmentOptions): number[] => {
  const { ids, offsets, vocabulary } = units
  const count = offsets.length - 1
  if (count < 2) return []
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(count + 1)
  const seen = new Int32Array(vocabulary)
  // A segment of n words that has word w c(w) times costs Σ log(0…n−1 + αV) − Σ log(0…c(w)−1 + α).
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
