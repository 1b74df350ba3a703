import { sha256 } from "../ids.ts"
import { findFirstWordFrom } from "../partition-point.ts"
import { listFrequentPhrases, type PhraseCount } from "../text/phrases.ts"
import { detectStopWords } from "../text/stop-words.ts"
import { countTerms, type TermCounts } from "../text/terms.ts"
import { normalizeWord } from "../text/tokens.ts"
import type { WordSpan } from "../transcript/words.ts"
import type { FlatTopic } from "./topic-tree.ts"

/** What is said in a topic. Topics with the same words have the same hash. */
export type Speech = {
  readonly hash: string
  readonly terms: TermCounts
  /** The phrases that are repeated most, most important first. */
  readonly phrases: readonly PhraseCount[]
}

const MAX_PHRASES = 16

type SpokenTopic = Pick<FlatTopic, "title" | "summary" | "start_s" | "duration_s">

/** Describes what is said in each topic: the words that begin in it, or title and summary if there are none. */
export const describeSpeech = (words: readonly WordSpan[], topics: readonly SpokenTopic[]): Speech[] => {
  const stop = detectStopWords(words.map(({ word }) => normalizeWord(word)))
  return topics.map((topic) => describeTopic(words, topic, stop))
}

const describeTopic = (words: readonly WordSpan[], topic: SpokenTopic, stop: ReadonlySet<string>): Speech => {
  const texts = joinTurns(words, topic)
  const spoken = texts.length > 0 ? texts : [topic.title, topic.summary]
  return {
    hash: sha256(spoken.join("\n")),
    terms: countTerms(spoken, stop),
    phrases: listFrequentPhrases(spoken, MAX_PHRASES, stop),
  }
}

/** Returns the words of a topic as one text per turn of a speaker. */
const joinTurns = (words: readonly WordSpan[], { start_s, duration_s }: SpokenTopic): string[] => {
  const turns: string[][] = []
  let speaker: string | null = null
  for (let i = findFirstWordFrom(words, start_s); i < words.length && words[i]!.start < start_s + duration_s; i++) {
    const word = words[i]!
    if (word.speaker !== speaker) turns.push([])
    speaker = word.speaker
    turns.at(-1)!.push(word.word)
  }
  return turns.map((turn) => turn.join(" "))
}
