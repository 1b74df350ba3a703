import { AppError } from "../../../domain/errors.ts"
import type { StoredLine } from "../../../domain/summaries.ts"
import { detectStopWords, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import { toChapterLines, toSummaryLines } from "../topic-lines.ts"
import type { Summarizer, SummaryForm } from "../types.ts"
import { type CuedSentence, findActionItems, findDecisions } from "./cues/find-cues.ts"

/** The language is recognized by this many words. */
const SAMPLE_WORDS = 5000

const toLine = ({ text, ...sentence }: CuedSentence, section: string | null = null): StoredLine => ({
  section,
  text,
  detail: null,
  ...sentence,
})

/** Returns true if a recording is in English, by its common words. If they do not tell, its language counts. */
const isEnglish = ({ language, words }: SummaryForm): boolean => {
  const stop = detectStopWords(words.slice(0, SAMPLE_WORDS).flatMap(({ word }) => splitWords(word).map(normalizeWord)))
  if (stop.size > 0) return stop === STOP_WORDS
  return language === null || /^en(?:$|[-_]|glish)/i.test(language)
}

const requireEnglish = (form: SummaryForm): void => {
  if (isEnglish(form)) return
  const language = form.language === null ? "" : ` ('${form.language}')`
  throw new AppError(
    "conflict",
    `Cue words are known for English only, and this recording is in another language${language}. Set up a language model in the settings, then run it again.`,
  )
}

const writeMinutes = (form: SummaryForm): StoredLine[] => {
  const { topics, words, speakers } = form
  const lines = toSummaryLines(topics, words)
  if (!isEnglish(form)) return lines
  return [
    ...lines,
    ...findDecisions(words).map((sentence) => toLine(sentence, "Decisions")),
    ...findActionItems(words, speakers).map((sentence) => toLine(sentence, "Action items")),
  ]
}

const fillIn = (form: SummaryForm): StoredLine[] => {
  switch (form.kind) {
    case "chapters":
      return toChapterLines(form.topics)
    case "minutes":
      return writeMinutes(form)
    case "action_items":
      requireEnglish(form)
      return findActionItems(form.words, form.speakers).map((sentence) => toLine(sentence))
    case "decisions":
      requireEnglish(form)
      return findDecisions(form.words).map((sentence) => toLine(sentence))
    case "prompt":
      throw new AppError(
        "conflict",
        "Your own templates need a language model. Set one up in the settings (Ollama or an OpenAI-compatible server), then run it again.",
      )
  }
}

/**
 * Creates the summarizer that works without a language model: action items and decisions by cue words, chapters and minutes
 * from the topics and their summaries.
 */
export const createBuiltinSummarizer = (): Summarizer => ({
  provider: "builtin",
  model: null,
  fillIn: async (form, { signal }) => {
    signal.throwIfAborted()
    return { lines: fillIn(form), dropped: 0 }
  },
})
