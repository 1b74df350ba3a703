import { MAX_TITLE_CHARS } from "../../../domain/constants.ts"
import type { Summary } from "../types.ts"
import type { Verdict } from "./ask.ts"

/** A sentence without an end is cut here, in characters. */
const MAX_SUMMARY = 1000

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** Clips to `max` characters at the end of a word; a single longer word is cut. */
export const clipWords = (text: string, max: number): string => {
  if (text.length <= max) return text
  const cut = text.lastIndexOf(" ", max)
  return cut > 0 ? text.slice(0, cut).trimEnd() : text.slice(0, max)
}

/** The first `max` sentences. Initials and short titles ("Dr.") do not end one. */
export const clipSentences = (text: string, max: number): string => {
  const sentences: string[] = []
  let open = ""
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)) {
    open += segment
    if (/(?:^|[\s.(])(?:\p{L}|Dr|Mrs?|Ms|Prof|St|vs|etc)\.\s*$/u.test(open)) continue
    sentences.push(open)
    open = ""
  }
  if (open) sentences.push(open)
  return sentences.slice(0, max).join("").trim()
}

/** A model's title and summary in the form that is promised, or what is wrong with them. */
export const tidySummary = (answer: Summary, maxSentences: number): Verdict<Summary> => {
  const title = clipWords(
    oneLine(answer.title)
      .replace(/^["'“”„«»‘’*#\s]+|["'“”„«»‘’*\s]+$/gu, "")
      .replace(/(?<!\.)\.$/u, ""),
    MAX_TITLE_CHARS,
  )
  if (!/[\p{L}\p{N}]/u.test(title)) return { problem: "The title is empty." }
  return { value: { title, summary: clipWords(clipSentences(oneLine(answer.summary), maxSentences), MAX_SUMMARY) } }
}
