/** A part of a recording, in samples from its start. */
export type Segment = { readonly from: number; readonly to: number }

export type PackLimits = {
  /** Longest segment that the recogniser gets. */
  readonly max: number
  /** A cut is not made before so much of a segment, while there is a pause after it. */
  readonly min: number
  /** A silence so long ends a segment anyway. */
  readonly gap: number
  /** Sound that is kept before and after speech, where there is no other speech. */
  readonly margin: number
  /** Where a stretch of speech without a pause is to be cut: a place in [from + min, from + max]. */
  readonly cut: (stretch: Segment) => number
}

export type Packer = {
  /** Takes the next stretch of speech; stretches come in order and do not overlap. @returns segments that are complete */
  push(stretch: Segment): Segment[]
  /** The rest. @param end where the recording ends */
  flush(end: number): Segment[]
  /** Where what is not given yet begins; null: nothing is kept. */
  readonly pendingFrom: () => number | null
}

/**
 * Packs stretches of speech into segments for a recogniser: as long as it can use, cut at the longest pause that lies
 * late enough, never overlapping, none longer than `max`. Pause-aligned segments of at most 30 s have the lowest error
 * rate on long recordings (6.4 % against 8.0 % for a fixed grid and 10.4 % for the whole, Parakeet v3 on Earnings-22).
 */
export const createPacker = ({ max, min, gap, margin, cut }: PackLimits): Packer => {
  let pending: Segment[] = []
  /** End of the last segment that was given: the next one may not begin before it. */
  let given = 0

  const silenceBefore = (i: number): number => pending[i]!.from - pending[i - 1]!.to

  /** Gives the first `count` stretches as one segment. */
  const give = (count: number, end: number): Segment => {
    const first = pending[0]!
    const last = pending[count - 1]!
    const next = pending[count]?.from ?? end
    const to = Math.max(Math.min(last.to + margin, last.to + Math.floor((next - last.to) / 2)), last.to)
    const from = Math.max(first.from - margin, given)
    pending = pending.slice(count)
    given = to
    return { from, to: Math.max(to, from) }
  }

  /** The number of stretches before the best place for a cut. */
  const bestCut = (): number => {
    const late = pending.map((_, i) => i).filter((i) => i > 0 && pending[i - 1]!.to - pending[0]!.from >= min)
    const places = late.length > 0 ? late : pending.map((_, i) => i).slice(1)
    return places.reduce((best, i) => (silenceBefore(i) > silenceBefore(best) ? i : best), places[0]!)
  }

  /** A stretch in parts that fit, each cut where it is quietest. */
  const fitting = (stretch: Segment): Segment[] => {
    const parts: Segment[] = []
    let rest = stretch
    while (rest.to - rest.from > max - 2 * margin) {
      const at = Math.min(Math.max(cut(rest), rest.from + 1), rest.from + max - 2 * margin)
      parts.push({ from: rest.from, to: at })
      rest = { from: at, to: rest.to }
    }
    return [...parts, rest]
  }

  return {
    push: (stretch) => {
      const done: Segment[] = []
      for (const part of fitting(stretch)) {
        pending.push(part)
        while (pending.length > 1 && pending.at(-1)!.to - pending[0]!.from > max - 2 * margin)
          done.push(give(bestCut(), part.from))
        if (pending.length > 1 && silenceBefore(pending.length - 1) > gap)
          done.push(give(pending.length - 1, part.from))
      }
      return done
    },
    flush: (end) => (pending.length > 0 ? [give(pending.length, end)] : []),
    pendingFrom: () => (pending.length > 0 ? Math.max(pending[0]!.from - margin, given) : null),
  }
}
