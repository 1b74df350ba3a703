import type { TopicDetail } from "../../../domain/jobs/jobs.ts"
import { splitUtterances } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Span } from "../types.ts"
import { findWordRange } from "../word-range.ts"
import { buildUnits, scoreCues } from "./boundary-features.ts"
import { segment, type Units } from "./segment.ts"

/**
 * The penalty of a cut: `perUtterance` nats for each utterance of the section, at least `min`, because people divide a
 * recording into a handful of subjects regardless of its length. Above `bend` nats it grows with the square root, because
 * a session of hours does have more subjects than a meeting. `evenness` is a share of the penalty. The same rule divides a
 * recording and each of its topics. Found by cross-validation, see docs/topics.md.
 */
export type CutPenalty = {
  readonly min: number
  readonly perUtterance: number
  readonly bend: number
  readonly evenness: number
}
export const DEFAULT_CUT_PENALTY: CutPenalty = { min: 2, perUtterance: 0.04, bend: 20, evenness: 0.15 }

/**
 * The factor of the penalty for each detail. `fewer` also raises the minimum, so that short recordings get fewer topics,
 * too. `more` does not lower it, because short recordings have about as many topics as people mark. Measured on long
 * recordings, see docs/topics.md.
 */
const DETAIL_FACTORS: Readonly<Record<TopicDetail, number>> = { fewer: 2.5, normal: 1, more: 0.15 }

const adaptPenalty = (penalty: CutPenalty, detail: TopicDetail): CutPenalty => {
  const factor = DETAIL_FACTORS[detail]
  return {
    ...penalty,
    min: penalty.min * Math.max(1, factor),
    perUtterance: penalty.perUtterance * factor,
    bend: penalty.bend * factor,
  }
}

/**
 * The minimum penalty of a cut between topics, in nats, because recognition errors look like another subject. It applies
 * only to recordings of fewer than 60 utterances.
 */
const MIN_TOPIC_PENALTY = 2.5
/** Recordings of at least this length get a boundary if any penalty produces one. */
const MIN_DIVIDED_S = 180
/** Each further attempt to find a boundary multiplies the penalty by this factor. */
const PENALTY_REDUCTION = 0.6
const MAX_REDUCTIONS = 12
/** Segmentation takes quadratic time. Above this number, consecutive utterances are merged into units. */
const MAX_UNITS = 6000

/** Merges every `step` consecutive units into one. */
const mergeUnits = (units: Units, step: number): Units => {
  const size = Math.ceil((units.offsets.length - 1) / step)
  const offsets = Int32Array.from({ length: size + 1 }, (_, i) => units.offsets[i * step] ?? units.ids.length)
  return { ...units, offsets }
}

/** A section of a recording, prepared for segmentation with any penalty. */
export type Section = {
  readonly within: Span
  readonly units: Units
  readonly cues: Float64Array
  /** The start of each unit, in seconds. */
  readonly starts: readonly number[]
  readonly utterances: number
}

/** Prepares the words within a span for segmentation. */
export const prepareSection = (all: readonly WordSpan[], within: Span): Section => {
  const words = all.slice(...findWordRange(all, within))
  const utterances = splitUtterances(words)
  const step = Math.max(1, Math.ceil(utterances.length / MAX_UNITS))
  return {
    within,
    units: mergeUnits(buildUnits(words, utterances), step),
    cues: scoreCues(words, utterances).filter((_, u) => u % step === 0),
    starts: utterances.filter((_, u) => u % step === 0).map((u) => u.start_s),
    utterances: utterances.length,
  }
}

/** Returns the boundaries inside a section, in seconds. `isRequired` lowers the penalty until a long section has one. */
const findCuts = (
  { within, units, cues, starts, utterances }: Section,
  isRequired: boolean,
  { min, perUtterance, bend, evenness }: CutPenalty,
): number[] => {
  const cutsAt = (penalty: number): number[] =>
    segment(units, { penalty, bonus: cues.map((cue) => cue * penalty), evenness: evenness * penalty })
      .map((u) => starts[u]!)
      .filter((start) => start > within.start_s && start < within.end_s)

  const linear = Math.max(min, perUtterance * utterances)
  let penalty = linear <= bend ? linear : Math.sqrt(bend * linear)
  let cuts = cutsAt(penalty)
  if (isRequired && within.end_s - within.start_s >= MIN_DIVIDED_S)
    for (let i = 0; cuts.length === 0 && i < MAX_REDUCTIONS; i++) {
      penalty *= PENALTY_REDUCTION
      cuts = cutsAt(penalty)
    }
  return cuts
}

export type SplitOptions = { readonly level: 1 | 2; readonly detail: TopicDetail; readonly penalty?: CutPenalty }

/**
 * Splits a section into spans that cover it, at changes of subject. Level 1 divides a recording into topics; a long
 * recording gets at least one boundary if possible. Level 2 divides a topic into subtopics.
 */
export const splitIntoTopics = (
  section: Section,
  { level, detail, penalty = DEFAULT_CUT_PENALTY }: SplitOptions,
): Span[] => {
  const { start_s, end_s } = section.within
  const min = level === 1 ? Math.max(penalty.min, MIN_TOPIC_PENALTY) : penalty.min
  const edges = [start_s, ...new Set(findCuts(section, level === 1, adaptPenalty({ ...penalty, min }, detail))), end_s]
  return edges.slice(1).map((end, i) => ({ start_s: edges[i]!, end_s: end }))
}
