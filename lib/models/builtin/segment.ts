/** Numbered content terms of consecutive units (utterances): unit u holds `ids[offsets[u]]` to `ids[offsets[u + 1]]`. */
export type Units = { readonly ids: Int32Array; readonly offsets: Int32Array; readonly vocabulary: number }

/** c · log(c + 1) for small counts. */
const COUNT_LOG = Float64Array.from({ length: 4096 }, (_, c) => c * Math.log(c + 1))
const countLog = (c: number): number => (c < COUNT_LOG.length ? COUNT_LOG[c]! : c * Math.log(c + 1))

/**
 * Cuts text where its vocabulary changes: the most probable segmentation when each segment draws its words from its own
 * Laplace-smoothed distribution and every cut costs `penalty` nats, by dynamic programming (Utiyama & Isahara 2001,
 * "A statistical model for domain-independent text segmentation"). The number of segments is a result.
 *
 * @param bonus nats given for a cut before unit u (length: units); the cue of a pause, a turn or a phrase
 * @returns the units that begin a new segment, rising, never 0. Time O(units × terms), memory O(units + vocabulary)
 */
export const segment = (units: Units, penalty: number, bonus?: Float64Array): number[] => {
  const { ids, offsets, vocabulary } = units
  const count = offsets.length - 1
  if (count < 2) return []
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(count + 1)
  const seen = new Int32Array(vocabulary)
  best[0] = 0
  for (let i = 0; i < count; i++) {
    seen.fill(0)
    let length = 0
    let saved = 0
    const base = best[i]! + penalty - (i > 0 ? (bonus?.[i] ?? 0) : 0)
    for (let j = i; j < count; j++) {
      for (let t = offsets[j]!; t < offsets[j + 1]!; t++) {
        const c = seen[ids[t]!]!
        saved += countLog(c + 1) - countLog(c)
        seen[ids[t]!] = c + 1
        length++
      }
      const cost = base + length * Math.log(length + vocabulary) - saved
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
