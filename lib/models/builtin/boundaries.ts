import type { WordSpan } from "../../contracts/words.ts"
import { utterancesOf } from "../../text/utterances.ts"
import type { Span } from "../types.ts"
import { cuesOf } from "./cues.ts"
import { segment, type Units } from "./segment.ts"
import { unitsOf } from "./terms.ts"
import { wordsWithin } from "./window.ts"

/**
 * What a cut costs: `each` nats for every utterance of the passage, because people part a talk into a handful of
 * subjects however long it is, but within `least` and `most`. `evenness` is a share of that. The same rule divides a
 * recording and each of its topics. Found by cross-validation, see docs/topics.md.
 */
export type Strictness = {
  readonly least: number
  readonly each: number
  readonly most: number
  readonly evenness: number
}
export const STRICTNESS: Strictness = { least: 2, each: 0.04, most: 30, evenness: 0.15 }

/** A recording of this many seconds is parted at least once, however much of a piece it is. */
const MUST_PART_S = 180
const LENIENCE = 0.6
const MAX_LENIENT_TRIES = 12
/** The dynamic program is quadratic: beyond this many utterances it moves in steps of several. */
const MAX_UNITS = 6000

/** Every `step` consecutive units as one. */
const coarser = (units: Units, step: number): Units => {
  const size = Math.ceil((units.offsets.length - 1) / step)
  const offsets = Int32Array.from({ length: size + 1 }, (_, i) => units.offsets[i * step] ?? units.ids.length)
  return { ...units, offsets }
}

/** The starts, in seconds, of the parts of `within` after the first. `atLeastOne` makes a long passage be parted. */
const cutsWithin = (all: readonly WordSpan[], within: Span, atLeastOne: boolean, strictness: Strictness): number[] => {
  const words = wordsWithin(all, within)
  const utterances = utterancesOf(words)
  const step = Math.ceil(utterances.length / MAX_UNITS)
  const units = coarser(unitsOf(words, utterances), Math.max(1, step))
  const cues = cuesOf(words, utterances).filter((_, u) => u % Math.max(1, step) === 0)
  const cutsAt = (penalty: number): number[] =>
    segment(units, { penalty, bonus: cues.map((cue) => cue * penalty), evenness: strictness.evenness * penalty })
      .map((u) => utterances[u * step]!.start_s)
      .filter((start) => start > within.start_s && start < within.end_s)

  let penalty = Math.min(strictness.most, Math.max(strictness.least, strictness.each * utterances.length))
  let cuts = cutsAt(penalty)
  if (atLeastOne && within.end_s - within.start_s >= MUST_PART_S)
    for (let tries = 0; cuts.length === 0 && tries < MAX_LENIENT_TRIES; tries++) {
      penalty *= LENIENCE
      cuts = cutsAt(penalty)
    }
  return cuts
}

/** Parts that tile `within`, cut where the subject changes; the whole recording (level 1) is parted if it is long. */
export const partsWithin = (
  words: readonly WordSpan[],
  within: Span,
  level: 1 | 2,
  strictness: Strictness = STRICTNESS,
): Span[] => {
  const edges = [within.start_s, ...cutsWithin(words, within, level === 1, strictness), within.end_s]
  return edges.slice(1).map((end_s, i) => ({ start_s: edges[i]!, end_s }))
}
