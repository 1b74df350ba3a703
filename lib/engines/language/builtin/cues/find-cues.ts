import { cleanSentence } from "../../../../domain/text/clean-sentence.ts"
import { joinSpoken } from "../../../../domain/text/join-spoken.ts"
import { isStopWord } from "../../../../domain/text/stop-words.ts"
import { splitWords } from "../../../../domain/text/tokens.ts"
import { splitSpokenSentences } from "../../../../domain/text/utterances.ts"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import { findActionCue } from "./action-items.ts"
import { weighDecision } from "./decisions.ts"
import { findDuePhrase } from "./due-phrase.ts"

/** A sentence that a cue marks as an action item or a decision. Times are in seconds. */
export type CuedSentence = {
  readonly text: string
  readonly start_s: number
  readonly end_s: number
  /** The ID of the speaker. */
  readonly speaker: string
  /** The ID of the speaker who has to act; null if it is somebody else or open. */
  readonly ownerSpeaker: string | null
  /** The name of a person who is named to act, as it was said. */
  readonly owner: string | null
  /** The phrase that says until when, as it was said. */
  readonly due: string | null
}

/** What a deadline adds to the weight of a cue. */
const DUE_WEIGHT = 0.3
const DECISION_THRESHOLD = 0.55
/** Shorter and longer sentences are fragments or rambling, of which a reader cannot tell what is to be done. */
const MIN_WORDS = 6
const MAX_WORDS = 60
/** A longer sentence than this costs weight. */
const LONG_WORDS = 35
const LONG_COST = 0.1
/** What an action item needs: a strong cue, or a weak one with a deadline. */
const THRESHOLD = 0.7

const CAPITALIZED = /^\p{Lu}[\p{Ll}'’-]+$/u
/** Capitalized words that name no person. */
const NOT_PEOPLE = new Set(
  "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december english german french okay ok i god internet powerpoint google microsoft excel word".split(
    " ",
  ),
)

/** Lists names of people: those of the speakers, and capitalized words within sentences. By name in lower case. */
const listNames = (words: readonly WordSpan[], speakers: Readonly<Record<string, string>>): Map<string, string> => {
  const names = new Map<string, string>()
  let startsSentence = true
  for (const { word } of words) {
    const bare = word.replace(/[^\p{L}'’-]+/gu, "")
    const lower = bare.toLowerCase()
    if (!startsSentence && CAPITALIZED.test(bare) && !isStopWord(lower) && !NOT_PEOPLE.has(lower))
      names.set(lower, bare)
    startsSentence = /[.!?…:]["'”’)]*$/u.test(word)
  }
  for (const name of Object.values(speakers)) {
    const first = name.split(/\s+/)[0]
    if (first) names.set(first.toLowerCase(), first)
  }
  return names
}

type Sentence = { readonly text: string; readonly spoken: string; readonly first: number; readonly end: number }

/** Words with which no complete sentence ends. */
const NEVER_LAST = new Set(
  "a an the my your our their his her its and or but if because of to with in on at for from by as than that which is are was were will would can could should i we you they he she not just very".split(
    " ",
  ),
)

/** Returns true for a sentence that breaks off. */
const isBrokenOff = (text: string): boolean => NEVER_LAST.has(splitWords(text).at(-1)?.toLowerCase() ?? "")

const listSentences = (words: readonly WordSpan[]): Sentence[] =>
  splitSpokenSentences(words).flatMap(({ first, end }) => {
    if (end - first < MIN_WORDS || end - first > MAX_WORDS) return []
    const said = words.slice(first, end).map(({ word }) => word)
    const text = cleanSentence(said)
    return text === "" || isBrokenOff(text) ? [] : [{ text, spoken: joinSpoken(said), first, end }]
  })

const spanOf = (words: readonly WordSpan[], { first, end }: Sentence) => {
  const own = words.slice(first, end)
  return {
    start_s: own[0]!.start,
    end_s: own.reduce((last, word) => Math.max(last, word.end), 0),
    speaker: own[0]!.speaker,
  }
}

const lengthCost = ({ first, end }: Sentence): number => (end - first > LONG_WORDS ? LONG_COST : 0)

/**
 * Finds the sentences that commit somebody to a task, in order of time. The owner is the speaker of "I will …", the other one
 * of two speakers for "could you …", or the person who is named. Takes time linear in the number of words.
 */
export const findActionItems = (
  words: readonly WordSpan[],
  speakers: Readonly<Record<string, string>>,
): CuedSentence[] => {
  const names = listNames(words, speakers)
  const speaking = [...new Set(words.map(({ speaker }) => speaker))]
  return listSentences(words).flatMap((sentence): CuedSentence[] => {
    const cue = findActionCue(sentence.text, names)
    if (cue === null) return []
    const due = findDuePhrase(sentence.spoken)
    if (cue.weight + (due === null ? 0 : DUE_WEIGHT) - lengthCost(sentence) < THRESHOLD) return []
    const span = spanOf(words, sentence)
    const others = speaking.filter((id) => id !== span.speaker)
    const ownerSpeaker =
      cue.owner === "speaker" ? span.speaker : cue.owner === "addressee" && others.length === 1 ? others[0]! : null
    const owner = typeof cue.owner === "object" ? cue.owner.name : null
    return [{ text: sentence.text, ...span, ownerSpeaker, owner, due }]
  })
}

/** Finds the sentences that state a decision, in order of time. Takes time linear in the number of words. */
export const findDecisions = (words: readonly WordSpan[]): CuedSentence[] =>
  listSentences(words).flatMap((sentence): CuedSentence[] => {
    const weight = weighDecision(sentence.text)
    if (weight === null || weight - lengthCost(sentence) < DECISION_THRESHOLD) return []
    const due = findDuePhrase(sentence.spoken)
    return [{ text: sentence.text, ...spanOf(words, sentence), ownerSpeaker: null, owner: null, due }]
  })
