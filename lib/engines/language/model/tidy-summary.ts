import { MAX_TITLE_CHARS } from "../../../domain/constants.ts"
import { trimEndOf } from "../../../domain/text/trim-end.ts"
import type { Summary } from "../types.ts"
import type { ParseResult } from "./structured-chat.ts"

/** Limits sentences that do not end. */
const MAX_SUMMARY_CHARS = 1000

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** Truncates a text to `maxChars` characters at the end of a word, or within a longer word. */
export const truncateAtWord = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text
  const cut = text.lastIndexOf(" ", maxChars)
  return cut > 0 ? text.slice(0, cut).trimEnd() : text.slice(0, maxChars)
}

/** Returns the first `maxSentences` sentences. Initials and short titles ("Dr.") do not end a sentence. */
export const takeSentences = (text: string, maxSentences: number): string => {
  const sentences: string[] = []
  let open = ""
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)) {
    open += segment
    if (/(?:^|[\s.(])(?:\p{L}|Dr|Mrs?|Ms|Prof|St|vs|etc)\.\s*$/u.test(open)) continue
    sentences.push(open)
    open = ""
  }
  if (open) sentences.push(open)
  return sentences.slice(0, maxSentences).join("").trim()
}

/** Removes markup from a model's title and truncates title and summary. Rejects an empty title. */
export const tidySummary = (answer: Summary, maxSentences: number): ParseResult<Summary> => {
  const title = truncateAtWord(
    trimEndOf(oneLine(answer.title), /["'“”„«»‘’*\s]/u)
      .replace(/^["'“”„«»‘’*#\s]+/u, "")
      .replace(/(?<!\.)\.$/u, ""),
    MAX_TITLE_CHARS,
  )
  if (!/[\p{L}\p{N}]/u.test(title)) return { problem: "The title is empty." }
  return {
    value: { title, summary: truncateAtWord(takeSentences(oneLine(answer.summary), maxSentences), MAX_SUMMARY_CHARS) },
  }
}
