import { sha256 } from "../ids.ts"
import { findFirstWordFrom, partitionPoint } from "../partition-point.ts"
import { type ContentWord, listContentWords } from "../text/content-words.ts"
import { listFrequentPhrases, type PhraseCount } from "../text/phrases.ts"
import { detectStopWords } from "../text/stop-words.ts"
import { countTermsInRange, hashTerms, type TermCounts, type Terms } from "../text/terms.ts"
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
  let turn = 0
  const parts = words.map(({ word, speaker }, i) => {
    if (i > 0 && speaker !== words[i - 1]!.speaker) turn++
    return { text: word, turn }
  })
  const content = listContentWords(parts, stop)
  const terms = hashTerms(content)
  return topics.map((topic) => {
    const first = findFirstWordFrom(words, topic.start_s)
    const end = findFirstWordFrom(words, topic.start_s + topic.duration_s)
    if (first === end) return describeText([topic.title, topic.summary], stop)
    const text = words.slice(first, end).map(({ word }) => word)
    const from = partitionPoint(content.length, (i) => content[i]!.text < first)
    const to = partitionPoint(content.length, (i) => content[i]!.text < end)
    return describe(text, content, terms, from, to)
  })
}

const describeText = (texts: readonly string[], stop: ReadonlySet<string>): Speech => {
  const content = listContentWords(
    texts.map((text, turn) => ({ text, turn })),
    stop,
  )
  return describe(texts, content, hashTerms(content), 0, content.length)
}

const describe = (
  text: readonly string[],
  content: readonly ContentWord[],
  terms: Terms,
  from: number,
  end: number,
): Speech => ({
  hash: sha256(text.join("\n")),
  terms: countTermsInRange(terms, from, end),
  phrases: listFrequentPhrases(content.slice(from, end), MAX_PHRASES),
})
