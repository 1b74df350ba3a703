import { z } from "zod"
import { estimateWordTimes } from "../transcript/join-tokens.ts"
import type { TimedWord } from "../transcript/words.ts"

/** A time that says nothing counts as none; it is then estimated. */
const time = z.number().nullish().catch(null)
/** What is no word or no segment is left out, and does not cost the others. */
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .nullish()
    .transform((all) =>
      all?.flatMap((one) => {
        const parsed = item.safeParse(one)
        return parsed.success ? [parsed.data] : []
      }),
    )
const words = listOf(z.object({ word: z.string(), start: time, end: time }))

/** `verbose_json` as OpenAI, speaches, whisper.cpp, vLLM and LocalAI write it: most of it may be missing, not all. */
export const verboseAnswer = z
  .object({
    text: z.string().nullish(),
    language: z.string().nullish().catch(null),
    words,
    segments: listOf(z.object({ text: z.string(), start: time, end: time, words })),
  })
  .refine(({ text, words, segments }) => typeof text === "string" || words !== undefined || segments !== undefined)
export type VerboseAnswer = z.infer<typeof verboseAnswer>

type Untimed = { readonly start?: number | null | undefined; readonly end?: number | null | undefined }

/**
 * Gives what has no start or no end the place between its neighbours. `guessed`: there was one such.
 * @param from_s @param to_s where the first may begin and the last may end
 */
const inTime = <T extends Untimed>(items: readonly T[], from_s: number, to_s: number) => {
  const follows: number[] = []
  let next = to_s
  for (let i = items.length - 1; i >= 0; i--) {
    follows[i] = next
    next = items[i]!.start ?? next
  }
  let before = from_s
  const found = items.map((item, i) => {
    const start = item.start ?? before
    const end = item.end ?? Math.max(start, follows[i]!)
    before = Math.max(start, end)
    return { ...item, start, end }
  })
  return { found, guessed: items.some(({ start, end }) => start == null || end == null) }
}

/** OpenAI names languages in English, others by code. */
const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  "arabic ar bulgarian bg catalan ca chinese zh croatian hr czech cs danish da dutch nl english en estonian et finnish fi french fr german de greek el hebrew he hindi hi hungarian hu indonesian id italian it japanese ja korean ko latvian lv lithuanian lt malay ms norwegian no persian fa polish pl portuguese pt romanian ro russian ru serbian sr slovak sk slovenian sl spanish es swedish sv tamil ta thai th turkish tr ukrainian uk urdu ur vietnamese vi welsh cy"
    .split(" ")
    .flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1]!]] : [])),
)

/** The code of a language by name or code; null where the server says none that is known. */
export const languageOf = ({ language }: VerboseAnswer): string | null => {
  if (!language) return null
  const name = language.toLowerCase()
  return CODES[name] ?? (/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(name) ? name : null)
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

const joined = (list: readonly TimedWord[]): TimedWord[] => list.map(({ word, start, end }) => ({ word, start, end }))

/**
 * The words of an answer: its `words`, else those of its segments, else words spread over the segments or over the
 * whole stretch, which are then estimates, as are words whose times are missing. Seconds from the start of what was sent.
 * @param length_s how long that was
 */
export const wordsOfAnswer = (answer: VerboseAnswer, length_s: number): { words: TimedWord[]; estimated: boolean } => {
  const { text } = answer
  const segments = inTime(answer.segments ?? [], 0, length_s)
  if (answer.words?.length) {
    const { found, guessed } = inTime(answer.words, 0, length_s)
    const written = text ?? segments.found.map((s) => s.text).join(" ")
    return { words: withMarks(joined(found), written), estimated: guessed }
  }
  let estimated = false
  const inSegments = segments.found.flatMap((segment) => {
    if (!segment.words?.length) {
      estimated ||= segment.text.trim() !== ""
      return estimateWordTimes(segment.text, segment.start, segment.end)
    }
    const { found, guessed } = inTime(segment.words, segment.start, segment.end)
    estimated ||= guessed
    return withMarks(joined(found), segment.text)
  })
  if (inSegments.length > 0) return { words: inSegments, estimated }
  return { words: estimateWordTimes(text ?? "", 0, length_s), estimated: Boolean(text?.trim()) }
}
