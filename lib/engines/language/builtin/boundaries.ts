import { utterancesOf } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Span } from "../types.ts"
import { cuesOf } from "./cues.ts"
import { segment, type Units } from "./segment.ts"
import { unitsOf } from "./terms.ts"
import { wordsWithin } from "./words-within.ts"

/**
 * What a cut costs: `each` nats for every utterance of the passage, because people part a talk into a handful of
 * subjects however long it is, at least `least`. From `bend` nats on it grows with the square root only, for a session
 * of hours has more subjects than a meeting after all. `evenness` is a share of that. The same rule divides a
 * recording and each of its topics. Found by cross-validation, see docs/topics.md.
 */
export type Strictness = {
  readonly least: number
  readonly each: number
  readonly bend: number
  readonly evenness: number
}
export const STRICTNESS: Strictness = { least: 2, each: 0.04, bend: 20, evenness: 0.15 }

/**
 * The least that a cut between topics costs, in nats: a few minutes are of a piece until their words say otherwise, and
 * words misheard look like another subject. Only recordings of fewer than 60 utterances come to feel it.
 */
const LEAST_BETWEEN_TOPICS = 2.5
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

/** A passage made ready to be cut, independent of how strictly. */
export type Passage = {
  readonly within: Span
  readonly units: Units
  readonly cues: Float64Array
  /** When each unit begins, in seconds. */
  readonly starts: readonly number[]
  readonly utterances: number
}

export const passageOf = (all: readonly WordSpan[], within: Span): Passage => {
  const words = wordsWithin(all, within)
  const utterances = utterancesOf(words)
  const step = Math.max(1, Math.ceil(utterances.length / MAX_UNITS))
  const heads = utterances.filter((_, u) => u % step === 0)
  return {
    within,
    units: coarser(unitsOf(words, utterances), step),
    cues: cuesOf(words, utterances).filter((_, u) => u % step === 0),
    starts: heads.map((u) => u.start_s),
    utterances: utterances.length,
  }
}

/** The starts, in seconds, of the parts of a passage after the first. `atLeastOne` makes a long passage be parted. */
const cutsOf = (passage: Passage, atLeastOne: boolean, { least, each, bend, evenness }: Strictness): number[] => {
  const { within, units, cues, starts, utterances } = passage
  const cutsAt = (penalty: number): number[] =>
    segment(units, { penalty, bonus: cues.map((cue) => cue * penalty), evenness: evenness * penalty })
      .map((u) => starts[u]!)
      .filter((start) => start > within.start_s && start < within.end_s)

  const straight = Math.max(least, each * utterances)
  let penalty = straight <= bend ? straight : Math.sqrt(bend * straight)
  let cuts = cutsAt(penalty)
  if (atLeastOne && within.end_s - within.start_s >= MUST_PART_S)
    for (let tries = 0; cuts.length === 0 && tries < MAX_LENIENT_TRIES; tries++) {
      penalty *= LENIENCE
      cuts = cutsAt(penalty)
    }
  return cuts
}

/** Parts that tile a passage, cut where the subject changes; the whole recording (level 1) is parted if it is long. */
export const partsOf = (passage: Passage, level: 1 | 2, strictness: Strictness = STRICTNESS): Span[] => {
  const { start_s, end_s } = passage.within
  const least = level === 1 ? Math.max(strictness.least, LEAST_BETWEEN_TOPICS) : strictness.least
  const edges = [start_s, ...new Set(cutsOf(passage, level === 1, { ...strictness, least })), end_s]
  return edges.slice(1).map((end, i) => ({ start_s: edges[i]!, end_s: end }))
}
