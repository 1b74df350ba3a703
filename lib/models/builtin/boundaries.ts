import type { WordSpan } from "../../contracts/words.ts"
import { utterancesOf } from "../../text/utterances.ts"
import type { Span } from "../types.ts"
import { cuesOf } from "./cues.ts"
import { segment } from "./segment.ts"
import { unitsOf } from "./terms.ts"
import { wordsWithin } from "./window.ts"

/**
 * What a cut costs: `each` nats for every utterance of the passage, because people part a talk into a handful of subjects
 * however long it is, and at least `least` nats. `evenness` is a share of that. The same at both levels. Found by
 * cross-validation, see docs/topics.md.
 */
export type Strictness = { readonly least: number; readonly each: number; readonly evenness: number }
export const STRICTNESS: Strictness = { least: 2, each: 0.04, evenness: 0.15 }

/** The starts, in seconds, of the parts of `within` after the first. */
export const cutsWithin = (all: readonly WordSpan[], within: Span, strictness: Strictness = STRICTNESS): number[] => {
  const words = wordsWithin(all, within)
  const utterances = utterancesOf(words)
  const penalty = Math.max(strictness.least, strictness.each * utterances.length)
  const cuts = segment(unitsOf(words, utterances), {
    penalty,
    bonus: cuesOf(words, utterances).map((cue) => cue * penalty),
    evenness: strictness.evenness * penalty,
  })
  return cuts.map((u) => utterances[u]!.start_s).filter((s) => s > within.start_s && s < within.end_s)
}

/** Parts that tile `within`, cut where the subject changes. */
export const partsWithin = (words: readonly WordSpan[], within: Span): Span[] => {
  const edges = [within.start_s, ...cutsWithin(words, within), within.end_s]
  return edges.slice(1).map((end_s, i) => ({ start_s: edges[i]!, end_s }))
}
