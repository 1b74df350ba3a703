import { z } from "zod"
import { spreadText } from "../tokens.ts"
import type { TimedWord } from "../words.ts"

const word = z.object({ word: z.string(), start: z.number(), end: z.number() })
const words = z.array(word).nullish()

/** `verbose_json` as OpenAI, speaches, whisper.cpp, vLLM and LocalAI write it: most of it may be missing. */
export const verboseAnswer = z.object({
  text: z.string().nullish(),
  language: z.string().nullish(),
  words,
  segments: z.array(z.object({ text: z.string(), start: z.number(), end: z.number(), words })).nullish(),
})
export type VerboseAnswer = z.infer<typeof verboseAnswer>

/** OpenAI names languages in English, others by code. */
const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  "arabic ar bulgarian bg catalan ca chinese zh croatian hr czech cs danish da dutch nl english en estonian et finnish fi french fr german de greek el hebrew he hindi hi hungarian hu indonesian id italian it japanese ja korean ko latvian lv lithuanian lt malay ms norwegian no persian fa polish pl portuguese pt romanian ro russian ru serbian sr slovak sk slovenian sl spanish es swedish sv tamil ta thai th turkish tr ukrainian uk urdu ur vietnamese vi welsh cy"
    .split(" ")
    .flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1]!]] : [])),
)

/** The code of a language by name or code; null where the server says none. */
export const languageOf = ({ language }: VerboseAnswer): string | null => {
  if (!language) return null
  const name = language.toLowerCase()
  return CODES[name] ?? name
}

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** How far the text may be ahead of the words. */
const AHEAD = 3

/** Gives words without marks, as OpenAI sends them, those that the text has, so that sentences can be told. */
const withMarks = (found: readonly TimedWord[], text: string): TimedWord[] => {
  const written = text.split(/\s+/).filter(Boolean)
  let at = 0
  return found.map((w) => {
    const same = written.slice(at, at + AHEAD).findIndex((t) => bare(t) === bare(w.word))
    if (same < 0) return w
    at += same + 1
    return { ...w, word: written[at - 1]! }
  })
}

/**
 * The words of an answer: its `words`, else those of its segments, else words spread over the segments or over the
 * whole stretch, which are then estimates. Seconds from the start of what was sent.
 * @param length_s how long that was
 */
export const wordsOfAnswer = (answer: VerboseAnswer, length_s: number): { words: TimedWord[]; estimated: boolean } => {
  const { text, segments } = answer
  if (answer.words?.length)
    return { words: withMarks(answer.words, text ?? segments?.map((s) => s.text).join(" ") ?? ""), estimated: false }
  const inSegments =
    segments?.flatMap((s) => (s.words?.length ? withMarks(s.words, s.text) : spreadText(s.text, s.start, s.end))) ?? []
  if (inSegments.length > 0)
    return { words: inSegments, estimated: segments!.some((s) => !s.words?.length && s.text.trim() !== "") }
  return { words: spreadText(text ?? "", 0, length_s), estimated: Boolean(text?.trim()) }
}
