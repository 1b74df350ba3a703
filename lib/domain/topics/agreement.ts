import type { Agreement } from "./diff-schema.ts"

/** Units that a short recording is seen in at least; else a unit is a second. */
const UNITS = 500

/** Pairs of borders, one to one, nearest first, at most `tolerance_s` apart. */
export const pairs = (a: readonly number[], b: readonly number[], tolerance_s: number): Map<number, number> => {
  const near = a.flatMap((from) => b.map((to) => ({ from, to, off: Math.abs(to - from) })))
  const found = new Map<number, number>()
  const taken = new Set<number>()
  for (const { from, to } of near.filter((p) => p.off <= tolerance_s).sort((p, q) => p.off - q.off)) {
    if (found.has(from) || taken.has(to)) continue
    found.set(from, to)
    taken.add(to)
  }
  return found
}

/** Unit → number of the segment that it lies in. */
const segments = (borders: readonly number[], units: number, unit_s: number): Uint32Array => {
  const at = new Uint32Array(units)
  for (const border of borders) {
    const unit = Math.round(border / unit_s)
    if (unit > 0 && unit < units) at[unit]!++
  }
  for (let i = 1; i < units; i++) at[i]! += at[i - 1]!
  return at
}

/**
 * Pk of b against a: the share of stretches half as long as a's mean segment whose ends lie in one segment by the one and
 * in two by the other (Beeferman, Berger & Lafferty 1999, *Statistical models for text segmentation*). Times in seconds.
 */
export const pk = (a: readonly number[], b: readonly number[], duration_s: number): number => {
  if (duration_s <= 0) return 0
  const units = Math.max(UNITS, Math.ceil(duration_s))
  const unit_s = duration_s / units
  const k = Math.max(2, Math.round(units / (2 * (a.length + 1))))
  const [inA, inB] = [segments(a, units, unit_s), segments(b, units, unit_s)]
  let bad = 0
  for (let i = 0; i + k < units; i++) if ((inA[i] === inA[i + k]) !== (inB[i] === inB[i + k])) bad++
  return bad / (units - k)
}

/** Where neither has a border they agree. */
export const agreementOf = (
  a: readonly number[],
  b: readonly number[],
  duration_s: number,
  tolerance_s: number,
): Agreement => {
  const hits = pairs(a, b, tolerance_s).size
  const share = (of: number) => (of === 0 ? 1 : hits / of)
  const rounded = (x: number) => Math.round(x * 1e4) / 1e4
  return {
    pk: rounded(pk(a, b, duration_s)),
    f1: rounded(a.length + b.length === 0 ? 1 : (2 * hits) / (a.length + b.length)),
    precision: rounded(share(b.length)),
    recall: rounded(share(a.length)),
  }
}
