/** Scores of topic boundaries. Boundaries are indices of units in ascending order, without 0. */
export type Scores = { f1: number; pk: number; wd: number; count: number }

const createMask = (size: number, cuts: readonly number[]): Uint8Array => {
  const mask = new Uint8Array(size)
  for (const cut of cuts) if (cut > 0 && cut < size) mask[cut] = 1
  return mask
}

/** Computes the share of windows of `k` units in which reference and hypothesis differ. */
const windowError = (
  reference: Uint8Array,
  hypothesis: Uint8Array,
  k: number,
  differs: (r: number, h: number) => boolean,
): number => {
  const windows = reference.length - k + 1
  let errors = 0
  for (let i = 0; i < windows; i++) {
    let r = 0
    let h = 0
    for (let j = i; j < i + k; j++) {
      r += reference[j]!
      h += hypothesis[j]!
    }
    if (differs(r, h)) errors++
  }
  return windows > 0 ? errors / windows : 0
}

/** Computes F1 of boundaries. Each reference boundary matches at most one within `tolerance` units. */
const boundaryF1 = (reference: readonly number[], hypothesis: readonly number[], tolerance: number): number => {
  if (reference.length === 0 && hypothesis.length === 0) return 1
  const free = new Set(reference)
  let hits = 0
  for (const h of hypothesis) {
    const near = [...free].filter((r) => Math.abs(h - r) <= tolerance)
    const best = near.reduce<number | undefined>(
      (a, r) => (a === undefined || Math.abs(h - r) < Math.abs(h - a) ? r : a),
      undefined,
    )
    if (best === undefined) continue
    free.delete(best)
    hits++
  }
  return (2 * hits) / (reference.length + hypothesis.length)
}

/**
 * Computes Pk (Beeferman et al. 1999) and WindowDiff (Pevzner & Hearst 2002) with k = N / 2K, boundary F1 within k / 2, and
 * the ratio of the predicted to the true number of segments (`count`).
 */
export const scoreBoundaries = (size: number, reference: readonly number[], hypothesis: readonly number[]): Scores => {
  const k = Math.max(2, Math.round(size / (2 * (reference.length + 1))))
  const r = createMask(size, reference)
  const h = createMask(size, hypothesis)
  return {
    f1: boundaryF1(reference, hypothesis, k / 2),
    pk: windowError(r, h, k, (a, b) => a > 0 !== b > 0),
    wd: windowError(r, h, k, (a, b) => a !== b),
    count: (hypothesis.length + 1) / (reference.length + 1),
  }
}

export const meanScores = (list: readonly Scores[]): Scores => {
  const mean = (pick: (s: Scores) => number): number =>
    Number((list.reduce((sum, s) => sum + pick(s), 0) / Math.max(1, list.length)).toFixed(4))
  return { f1: mean((s) => s.f1), pk: mean((s) => s.pk), wd: mean((s) => s.wd), count: mean((s) => s.count) }
}

const RANDOM_DRAWS = 20

/**
 * Returns a function that scores a number of random boundaries as a baseline: the mean of twenty draws from a deterministic
 * sequence.
 */
export const createRandomBaseline = () => {
  let seed = 1
  const random = (): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  return (size: number, reference: readonly number[], count: number): Scores => {
    const draws = Array.from({ length: RANDOM_DRAWS }, () => {
      const cuts = new Set<number>()
      while (cuts.size < Math.min(count, size - 1)) cuts.add(1 + Math.floor(random() * (size - 1)))
      return scoreBoundaries(size, reference, [...cuts])
    })
    return meanScores(draws)
  }
}
