import type { WordSpan } from "../../contracts/words.ts"
import { type Utterance, utterancesOf } from "../../text/utterances.ts"
import type { Span } from "../types.ts"
import { segment, type Units } from "./segment.ts"
import { termsOf } from "./terms.ts"
import { wordsWithin } from "./window.ts"

/** Penalty of a cut in units of log N: a longer text must change more before it is cut. */
const strictness = (terms: number, level: 1 | 2): number => {
  const s = 0.9 + terms / 700
  return level === 1 ? Math.min(s, 8) : Math.max(0.5, s / 3)
}

const unitsOf = (words: readonly WordSpan[], utterances: readonly Utterance[]): Units => {
  const terms = termsOf(words)
  const offsets = new Int32Array(utterances.length + 1)
  utterances.forEach((u, i) => {
    offsets[i + 1] = terms.offsets[u.end]!
  })
  return { ids: terms.ids, offsets, vocabulary: terms.vocabulary }
}

/** The starts, in seconds, of the parts of `within` after the first. */
export const cutsWithin = (all: readonly WordSpan[], within: Span, level: 1 | 2): number[] => {
  const words = wordsWithin(all, within)
  const utterances = utterancesOf(words)
  const units = unitsOf(words, utterances)
  const size = units.ids.length
  const cuts = segment(units, strictness(size, level) * Math.log(Math.max(2, size)))
  return cuts.map((u) => utterances[u]!.start_s).filter((s) => s > within.start_s && s < within.end_s)
}

/** Parts that tile `within`, cut where the subject changes. */
export const partsWithin = (words: readonly WordSpan[], within: Span, level: 1 | 2): Span[] => {
  const edges = [within.start_s, ...cutsWithin(words, within, level), within.end_s]
  return edges.slice(1).map((end_s, i) => ({ start_s: edges[i]!, end_s }))
}
