import * as z from "zod"
import { fillMissingTimes, restorePunctuation } from "../../../domain/transcript/complete-words.ts"
import { estimateWordTimes } from "../../../domain/transcript/estimate-word-times.ts"
import type { TimedWord } from "../../../domain/transcript/words.ts"

/** An invalid time counts as missing and is estimated. */
const time = z.number().nullish().catch(null)
/** Drops invalid items of a list instead of rejecting the whole list. */
const lenientArray = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .nullish()
    .transform((all) =>
      all?.flatMap((one) => {
        const parsed = item.safeParse(one)
        return parsed.success ? [parsed.data] : []
      }),
    )
const words = lenientArray(z.object({ word: z.string(), start: time, end: time }))

/**
 * `verbose_json` as OpenAI, speaches, whisper.cpp, vLLM and LocalAI return it. At least one of text, words and segments
 * must be present.
 */
export const verboseResponse = z
  .object({
    text: z.string().nullish(),
    language: z.string().nullish().catch(null),
    words,
    segments: lenientArray(z.object({ text: z.string(), start: time, end: time, words })),
  })
  .refine(({ text, words, segments }) => typeof text === "string" || words !== undefined || segments !== undefined)
export type VerboseResponse = z.infer<typeof verboseResponse>

/** OpenAI returns English names of languages, other servers return codes. */
const LANGUAGE_CODES: Readonly<Record<string, string>> = Object.fromEntries(
  "arabic ar bulgarian bg catalan ca chinese zh croatian hr czech cs danish da dutch nl english en estonian et finnish fi french fr german de greek el hebrew he hindi hi hungarian hu indonesian id italian it japanese ja korean ko latvian lv lithuanian lt malay ms norwegian no persian fa polish pl portuguese pt romanian ro russian ru serbian sr slovak sk slovenian sl spanish es swedish sv tamil ta thai th turkish tr ukrainian uk urdu ur vietnamese vi welsh cy"
    .split(" ")
    .flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1]!]] : [])),
)

/** Returns the language code of a response, or null if it names no known language. */
export const detectLanguageCode = ({ language }: VerboseResponse): string | null => {
  if (!language) return null
  const name = language.toLowerCase()
  return LANGUAGE_CODES[name] ?? (/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(name) ? name : null)
}

const toTimedWords = (list: readonly TimedWord[]): TimedWord[] =>
  list.map(({ word, start, end }) => ({ word, start, end }))

/**
 * Extracts the words of a response: its `words`, else those of its segments. Otherwise word times are estimated within the
 * segments or the whole audio. Times are in seconds from the start of the audio.
 * @param length_s the length of the audio
 */
export const extractWords = (
  response: VerboseResponse,
  length_s: number,
): { words: TimedWord[]; estimated: boolean } => {
  const { text } = response
  const segments = fillMissingTimes(response.segments ?? [], 0, length_s)
  if (response.words?.length) {
    const { found, hasEstimates } = fillMissingTimes(response.words, 0, length_s)
    const written = text ?? segments.found.map((s) => s.text).join(" ")
    return { words: restorePunctuation(toTimedWords(found), written), estimated: hasEstimates }
  }
  let estimated = false
  const inSegments = segments.found.flatMap((segment) => {
    if (!segment.words?.length) {
      estimated ||= segment.text.trim() !== ""
      return estimateWordTimes(segment.text, segment.start, segment.end)
    }
    const { found, hasEstimates } = fillMissingTimes(segment.words, segment.start, segment.end)
    estimated ||= hasEstimates
    return restorePunctuation(toTimedWords(found), segment.text)
  })
  if (inSegments.length > 0) return { words: inSegments, estimated }
  return { words: estimateWordTimes(text ?? "", 0, length_s), estimated: Boolean(text?.trim()) }
}
