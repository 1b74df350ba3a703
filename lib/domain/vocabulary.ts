import * as z from "zod"
import { boundedList } from "./bounded.ts"
import { cleanName, isoTime } from "./schemas.ts"

const MAX_TERM_CHARS = 100
/** The number of entries of a library, and of those that a job brings along. */
export const MAX_VOCABULARY = 500

const phrase = z.string().overwrite(cleanName).min(1).max(MAX_TERM_CHARS)

/** The number of phrases that an entry replaces. */
export const MAX_PHRASES = 20

/** A name or technical term, and what speech engines write instead of it. */
export const vocabularyEntry = z.object({
  term: phrase.describe("The name or term as it is written, such as `Grace Hopper`"),
  sounds_like: boundedList(phrase, { max: MAX_PHRASES })
    .default([])
    .describe("What a transcript has instead of it, such as `grace hop her`. Upper and lower case do not matter"),
})
export type VocabularyEntry = z.infer<typeof vocabularyEntry>

export const vocabularyPatch = z.object({
  term: phrase.optional().describe("The name or term as it is written"),
  sounds_like: boundedList(phrase, { max: MAX_PHRASES })
    .optional()
    .describe("What a transcript has instead of it, all phrases"),
})
export type VocabularyPatch = z.infer<typeof vocabularyPatch>

export const storedVocabularyEntry = z.object({
  id: z.string().describe("The ID of the entry"),
  term: z.string().describe("The name or term as it is written"),
  sounds_like: z.array(z.string()).describe("What a transcript has instead of it"),
  created_at: isoTime.describe("When the entry was added"),
})
export type StoredVocabularyEntry = z.infer<typeof storedVocabularyEntry>

/** A correction that people made, as an entry that would make it by itself. */
export const vocabularySuggestion = z.object({
  term: z.string().describe("What people wrote"),
  sounds_like: z.string().describe("What the transcript had"),
  count: z.int().describe("How often people have made this correction"),
})
export type VocabularySuggestion = z.infer<typeof vocabularySuggestion>

/** Joins two vocabularies. Entries of the second one replace those of the first one with the same term. */
export const mergeVocabularies = (
  library: readonly VocabularyEntry[],
  own: readonly VocabularyEntry[],
): VocabularyEntry[] => {
  const byTerm = new Map([...library, ...own].map((entry) => [entry.term.toLowerCase(), entry]))
  return [...byTerm.values()].map(({ term, sounds_like }) => ({ term, sounds_like: [...sounds_like] }))
}
