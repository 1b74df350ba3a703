import { stem } from "../../../domain/text/stem.ts"
import { detectStopWords, isContentWord } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import type { Utterance } from "../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Units } from "./segment.ts"

/** A term that occurs once cannot connect two places and is the likeliest recognition error. */
const MIN_TERM_COUNT = 2

/**
 * Returns the terms of each utterance for segmentation: stemmed content words that occur at least twice in `words`. A term
 * counts once per utterance, because repetition within a sentence does not show that the subject continues.
 */
export const buildUnits = (words: readonly WordSpan[], utterances: readonly Utterance[]): Units => {
  const tokens = words.map((w) => splitWords(w.word).map(normalizeWord))
  const stop = detectStopWords(tokens.flat())
  const counts = new Map<string, number>()
  const terms = tokens.map((list) => list.filter((token) => isContentWord(token, stop)).map(stem))
  for (const list of terms) for (const term of list) counts.set(term, (counts.get(term) ?? 0) + 1)

  const numbers = new Map<string, number>()
  const ids: number[] = []
  const offsets = new Int32Array(utterances.length + 1)
  utterances.forEach(({ first, end }, u) => {
    const here = new Set<string>()
    for (let i = first; i < end; i++)
      for (const term of terms[i]!) if (counts.get(term)! >= MIN_TERM_COUNT) here.add(term)
    for (const term of here) {
      const id = numbers.get(term) ?? numbers.size
      numbers.set(term, id)
      ids.push(id)
    }
    offsets[u + 1] = ids.length
  })
  return { ids: Int32Array.from(ids), offsets, vocabulary: numbers.size }
}

/** Phrases that announce a new subject (after Hirschberg & Litman 1993, "Empirical studies on … cue phrases"). */
const OPENING_PHRASE = new RegExp(
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
/** Number of words at the start of an utterance that are searched for phrases. */
const OPENING_WORDS = 14
/** Turns of more words than this count as equally long. */
const MAX_TURN_WORDS = 60
const MAX_PAUSE_SCORE = 3

/** Weights of the cues, as shares of the penalty of a cut. Found by cross-validation, see docs/topics.md. */
const WEIGHT = { opening: 0.1, thanks: 0.1, pause: 0.15, turn: 0.5 }

const openingWords = (words: readonly WordSpan[], { first, end }: Utterance): string =>
  words
    .slice(first, Math.min(end, first + OPENING_WORDS))
    .flatMap((w) => splitWords(w.word).map(normalizeWord))
    .join(" ")

/** Returns the 90th percentile of the pauses before utterances, in seconds. */
const computeUsualPause = (utterances: readonly Utterance[]): number => {
  const pauses = utterances.map((u) => u.pause_s).sort((a, b) => a - b)
  return pauses[Math.floor(pauses.length * 0.9)] ?? 0
}

/** Returns for each utterance the number of words from its start to the end of the speaker's turn. */
const countTurnWords = (utterances: readonly Utterance[]): number[] => {
  const lengths = utterances.map((u) => u.end - u.first)
  for (let u = lengths.length - 2; u >= 0; u--) if (!utterances[u + 1]!.startsTurn) lengths[u]! += lengths[u + 1]!
  return lengths
}

/**
 * Scores for each utterance how likely a subject begins with it, regardless of vocabulary: after an unusually long pause,
 * with a long turn, at "let's move on", after thanks. Scores are shares of the penalty of a cut and may be negative.
 */
export const scoreCues = (words: readonly WordSpan[], utterances: readonly Utterance[]): Float64Array => {
  const usualPause_s = computeUsualPause(utterances)
  const turns = countTurnWords(utterances)
  const openings = utterances.map((u) => openingWords(words, u))
  return Float64Array.from(utterances, (u, i) => {
    const pause = Math.min(MAX_PAUSE_SCORE, Math.max(0, Math.log((u.pause_s + 0.1) / (usualPause_s + 0.1))))
    const turn = Math.log(1 + Math.min(turns[i]!, MAX_TURN_WORDS)) / Math.log(1 + MAX_TURN_WORDS) - 1
    const opening = OPENING_PHRASE.test(openings[i]!) ? 1 : 0
    const thanks = THANKS.test(openings[i]!) || THANKS.test(openings[i - 1] ?? "") ? 1 : 0
    return WEIGHT.opening * opening + WEIGHT.thanks * thanks + WEIGHT.pause * pause + WEIGHT.turn * turn
  })
}
