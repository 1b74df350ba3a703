/** Scores of topic boundaries. Boundaries are unit numbers, rising, without 0. */
export type Scores = { f1: number; pk: number; wd: number; count: number }

const masked = (size: number, cuts: readonly number[]): Uint8Array => {
  const mask = new Uint8Array(size)
  for (const cut of cuts) if (cut > 0 && cut < size) mask[cut] = 1
  return mask
}

/** Share of windows of `k` units in which reference and hypothesis differ. */
const windowError = (
  reference: Uint8Array,
  hypothesis: Uint8Array,
  k: number,
  differs: (r: number, h: number) => boolean,
): number => {
  const windows = reference.length - k + 1
  let bad = 0
  for (let i = 0; i < windows; i++) {
    let r = 0
    let h = 0
    for (let j = i; j < i + k; j++) {
      r += reference[j]!
      h += hypothesis[j]!
    }
    if (differs(r, h)) bad++
  }
  return windows > 0 ? bad / windows : 0
}

/** F1 of boundaries, each reference boundary matched at most once, within `tolerance` units. */
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
 * Pk (Beeferman et al. 1999) and WindowDiff (Pevzner & Hearst 2002) with k = N / 2K, boundary F1 within k / 2, and the
 * predicted number of segments over the true one.
 */
export const scoresOf = (size: number, reference: readonly number[], hypothesis: readonly number[]): Scores => {
  const k = Math.max(2, Math.round(size / (2 * (reference.length + 1))))
  const r = masked(size, reference)
  const h = masked(size, hypothesis)
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

const DRAWS = 20

/** Scores of as many cuts at random places, mean of twenty draws; the same sequence every time. */
export const randomCuts = () => {
  let seed = 1
  const random = (): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  return (size: number, reference: readonly number[], many: number): Scores => {
    const draws = Array.from({ length: DRAWS }, () => {
      const cuts = new Set<number>()
      while (cuts.size < Math.min(many, size - 1)) cuts.add(1 + Math.floor(random() * (size - 1)))
      return scoresOf(size, reference, [...cuts])
    })
    return meanScores(draws)
  }
}
