import { normalise, wordsOf } from "../../../domain/text/tokens.ts"
import type { Utterance } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"

/** Phrases that announce a new subject (after Hirschberg & Litman 1993, "Empirical studies on … cue phrases"). */
const OPENING = new RegExp(
  `\\b(?:${[
    "mov(?:e|ing) on",
    "go(?:ing)? on to",
    "on to the",
    "next (?:item|topic|point|thing|one|question|speaker|presentation|up)",
    "the next",
    "let(?:'s| us) (?:talk|go|move|look|see|start|take)",
    "another (?:thing|topic|point|question)",
    "turn(?:ing)? to",
  ].join("|")})\\b`,
)
const THANKS = /\bthank(?:s| you)\b/
/** How many words at the head of an utterance are searched. */
const HEAD_WORDS = 14
/** Words of a turn from which on its length says no more. */
const LONG_TURN = 60
const MAX_PAUSE = 3

/** Weights of the cues, as shares of the penalty of a cut (docs/topics.md tells how they were found). */
const WEIGHT = { opening: 0.1, thanks: 0.1, pause: 0.15, turn: 0.5 }

const headOf = (words: readonly WordSpan[], { first, end }: Utterance): string =>
  words
    .slice(first, Math.min(end, first + HEAD_WORDS))
    .flatMap((w) => wordsOf(w.word).map(normalise))
    .join(" ")

/** The silence that all but a tenth of the utterances stay under, in seconds. */
const usualPause = (utterances: readonly Utterance[]): number => {
  const pauses = utterances.map((u) => u.pause_s).sort((a, b) => a - b)
  return pauses[Math.floor(pauses.length * 0.9)] ?? 0
}

/** Words from each utterance to the end of its turn. */
const turnLengths = (utterances: readonly Utterance[]): number[] => {
  const lengths = utterances.map((u) => u.end - u.first)
  for (let u = lengths.length - 2; u >= 0; u--) if (!utterances[u + 1]!.turn) lengths[u]! += lengths[u + 1]!
  return lengths
}

/**
 * How likely a subject begins with each utterance, apart from its vocabulary: after an unusual silence, with a long
 * turn, at "let's move on", after thanks. In shares of the penalty of a cut; negative where a cut would be odd.
 */
export const cuesOf = (words: readonly WordSpan[], utterances: readonly Utterance[]): Float64Array => {
  const usual = usualPause(utterances)
  const turns = turnLengths(utterances)
  const heads = utterances.map((u) => headOf(words, u))
  return Float64Array.from(utterances, (u, i) => {
    const pause = Math.min(MAX_PAUSE, Math.max(0, Math.log((u.pause_s + 0.1) / (usual + 0.1))))
    const turn = Math.log(1 + Math.min(turns[i]!, LONG_TURN)) / Math.log(1 + LONG_TURN) - 1
    const opening = OPENING.test(heads[i]!) ? 1 : 0
    const thanks = THANKS.test(heads[i]!) || THANKS.test(heads[i - 1] ?? "") ? 1 : 0
    return WEIGHT.opening * opening + WEIGHT.thanks * thanks + WEIGHT.pause * pause + WEIGHT.turn * turn
  })
}
