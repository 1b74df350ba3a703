import type { StoredLine } from "../../domain/summaries.ts"
import { cleanSentence } from "../../domain/text/clean-sentence.ts"
import { splitSentences } from "../../domain/text/sentences.ts"
import { stem } from "../../domain/text/stem.ts"
import { STOP_WORDS } from "../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../domain/text/tokens.ts"
import { splitSpokenSentences } from "../../domain/text/utterances.ts"
import type { TopicNode } from "../../domain/topics/topic-tree.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { findWordRange } from "./word-range.ts"

const EMPTY = { section: null, detail: null, speaker: null, ownerSpeaker: null, owner: null, due: null } as const

/** Returns the topics as chapters, with their summaries as details. */
export const toChapterLines = (topics: readonly TopicNode[]): StoredLine[] =>
  topics.map(({ title, summary, start_s, end_s }) => ({
    ...EMPTY,
    text: title,
    detail: summary === "" ? null : summary,
    start_s,
    end_s,
  }))

const listStems = (text: string): Set<string> =>
  new Set(
    splitWords(text)
      .map(normalizeWord)
      .filter((word) => word !== "" && !STOP_WORDS.has(word))
      .map(stem),
  )

const countShared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let shared = 0
  for (const value of a) if (b.has(value)) shared++
  return shared
}

type Said = { readonly start_s: number; readonly end_s: number; readonly speaker: string; readonly stems: Set<string> }

const listSaid = (words: readonly WordSpan[], first: number, end: number): Said[] =>
  splitSpokenSentences(words, first, end).map((span) => {
    const own = words.slice(span.first, span.end)
    return {
      start_s: own[0]!.start,
      end_s: own.at(-1)!.end,
      speaker: own[0]!.speaker,
      stems: listStems(cleanSentence(own.map(({ word }) => word))),
    }
  })

/**
 * Returns the sentences of the summaries of topics, below the title of their topic and linked to the spoken sentence with most
 * of their words; if none has any, to the start of the topic. Takes time linear in the number of words.
 */
export const toSummaryLines = (topics: readonly TopicNode[], words: readonly WordSpan[]): StoredLine[] =>
  topics.flatMap((topic) => {
    const said = listSaid(words, ...findWordRange(words, topic))
    return splitSentences(topic.summary).map((text): StoredLine => {
      const stems = listStems(text)
      let best: Said | null = null
      let most = 0
      for (const sentence of said) {
        const shared = countShared(stems, sentence.stems)
        if (shared > most) {
          best = sentence
          most = shared
        }
      }
      const { start_s, end_s } = best ?? topic
      return { ...EMPTY, section: topic.title, text, start_s, end_s, speaker: best?.speaker ?? null }
    })
  })
