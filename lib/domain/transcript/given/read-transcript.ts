import * as z from "zod"
import { boundedList } from "../../bounded.ts"
import { removeNul } from "../../schemas.ts"
import { formatIssue } from "../../validation-messages.ts"
import { fillMissingTimes, restorePunctuation } from "../complete-words.ts"
import { estimateWordTimes, splitWords } from "../estimate-word-times.ts"
import { MAX_SECONDS, MAX_WORDS, type WordSpan, wordSpan } from "../words.ts"
import { readJsonSegments } from "./json-segments.ts"
import { type GivenWord, type Segment, type Segments, SHAPES, TranscriptError } from "./segment.ts"
import { hasCues, readSubtitleSegments } from "./subtitle-segments.ts"

/** A transcript of the caller, sorted by start. `estimated_times` is true if the times of some words are estimated. */
export type GivenTranscript = { readonly words: readonly WordSpan[]; readonly estimated_times: boolean }

const MAX_WORD_CHARS = 200
const MAX_SPEAKER_CHARS = 100
/** A label that a tool gives to a speaker whose name it does not know: 0, A, SPEAKER_00, "Speaker 1", "channel 0 1". */
const UNNAMED_SPEAKER = /^(?:(?:speaker|spk|channel)[ _-]?)?(?:\d{1,6}(?: \d{1,6})?|\d{0,3}[A-Z])$/i

const spans = boundedList(wordSpan, { max: MAX_WORDS })

/** Prepares a word of a list for validation: tools number speakers, or leave them null. */
const toSpan = (item: unknown): unknown => {
  if (typeof item !== "object" || item === null) return item
  const { speaker, punctuated_word, word, ...rest } = item as Record<string, unknown>
  return {
    ...rest,
    word: punctuated_word ?? word,
    ...(speaker === null || speaker === undefined
      ? {}
      : { speaker: typeof speaker === "number" ? String(speaker) : speaker }),
  }
}

const sortByStart = (words: readonly WordSpan[]): readonly WordSpan[] =>
  words.every(({ start }, i) => i === 0 || start >= words[i - 1]!.start)
    ? words
    : [...words].sort((a, b) => a.start - b.start)

const isShortText = (value: unknown, maxChars: number): value is string =>
  typeof value === "string" && value.length <= maxChars && !value.includes("\0")

const isTime = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= MAX_SECONDS

/** Returns a word that the schema would accept without a change but for spaces, or null if the schema has to decide. */
const readPlainSpan = (item: unknown): WordSpan | null => {
  if (typeof item !== "object" || item === null) return null
  const { word: plain, punctuated_word, start, end, speaker } = item as Record<string, unknown>
  const word = punctuated_word ?? plain
  const label = typeof speaker === "number" ? String(speaker) : (speaker ?? "0")
  if (!isShortText(word, MAX_WORD_CHARS) || word === "" || !isShortText(label, MAX_SPEAKER_CHARS)) return null
  if (!isTime(start) || !isTime(end) || end < start) return null
  return { word: word.trim(), start, end, speaker: label }
}

/** Reads a list of plain words in a tenth of the time that the schema takes. Returns null if it has others. */
const readPlainSpans = (list: readonly unknown[]): WordSpan[] | null => {
  const words: WordSpan[] = []
  for (const item of list) {
    const word = readPlainSpan(item)
    if (!word) return null
    if (word.word !== "") words.push(word)
  }
  return words
}

/** Reads words in the format of the service. @throws TranscriptError that leads to the first invalid word */
const readSpans = (list: readonly unknown[]): GivenTranscript => {
  const plain = list.length <= MAX_WORDS ? readPlainSpans(list) : null
  if (plain) return { words: sortByStart(plain), estimated_times: false }
  const parsed = spans.safeParse(list.length > MAX_WORDS ? list : list.map(toSpan))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new TranscriptError(formatIssue(issue), issue.path)
  }
  const words = parsed.data.map((span) => ({ ...span, word: span.word.trim() })).filter(({ word }) => word !== "")
  return { words: sortByStart(words), estimated_times: false }
}

/** Numbers unnamed speakers in order of first appearance, and keeps names. */
const createSpeakerNumbering = () => {
  const numbers = new Map<string, string>()
  return (label: string): string => {
    const name = removeNul(label).trim().slice(0, MAX_SPEAKER_CHARS)
    if (!UNNAMED_SPEAKER.test(name)) return name
    const number = numbers.get(name) ?? String(numbers.size)
    numbers.set(name, number)
    return number
  }
}

/** @throws TranscriptError if the segments have more words than a transcript may have */
const checkCount = (segments: readonly Segment[]): void => {
  let count = 0
  for (const { text, words } of segments) {
    count += words?.length ?? 0
    if (!words) for (const _ of splitWords(text)) if (++count > MAX_WORDS) break
    if (count > MAX_WORDS) throw new TranscriptError(`must have at most ${MAX_WORDS} words`)
  }
}

type TimedSegment = Segment & { readonly start: number; readonly end: number }
type SpokenWord = {
  readonly word: string
  readonly start: number
  readonly end: number
  readonly speaker: string | null
}

const timeWords = (segment: TimedSegment): { readonly words: readonly SpokenWord[]; readonly estimated: boolean } => {
  const { text, start, end, speaker, words } = segment
  if (!words) {
    const estimated = estimateWordTimes(text, start, end)
    return {
      words: estimated.map((word) => ({ ...word, speaker })),
      estimated: estimated.length > 1 || (segment.isEstimated ?? false),
    }
  }
  const { found, hasEstimates } = fillMissingTimes<GivenWord>(words, start, end)
  const spoken = found.map((word) => ({ ...word, speaker: word.speaker ?? speaker }))
  return { words: restorePunctuation(spoken, text), estimated: hasEstimates }
}

const latestTime = (segments: readonly Segment[]): number => {
  let latest = 0
  for (const { start, end, words = [] } of segments)
    for (const item of [{ start, end }, ...words]) latest = Math.max(latest, item.start ?? 0, item.end ?? 0)
  return latest
}

const splitLongWord = (word: string): string[] =>
  word.length <= MAX_WORD_CHARS
    ? [word]
    : (word.match(/.{1,200}/gsu) ?? []).flatMap((part) => part.match(/.{1,100}/gsu) ?? [])

/** Times the words of all segments and orders them. All times are within the recording. */
const assemble = ({ segments, duration_s }: Segments): GivenTranscript => {
  checkCount(segments)
  const length_s = duration_s ?? latestTime(segments)
  if (length_s > MAX_SECONDS) throw new TranscriptError(`must end within ${MAX_SECONDS} seconds`)
  const clamp = (time: number): number => Math.min(Math.max(Math.round(time * 1000) / 1000, 0), length_s)
  const { found, hasEstimates } = fillMissingTimes(segments, 0, length_s)
  const timed = found.map(timeWords)
  let estimated_times = timed.some(({ estimated }) => estimated)
  const spoken: WordSpan[] = []
  const unnamed = "0"
  for (const { words } of timed)
    for (const item of words) {
      const parts = splitLongWord(removeNul(item.word).trim())
      const [start, end] = [clamp(item.start), clamp(Math.max(item.start, item.end))]
      const share = (end - start) / Math.max(parts.length, 1)
      for (const [i, word] of parts.entries())
        if (word !== "")
          spoken.push({
            word,
            start: clamp(start + i * share),
            end: clamp(start + (i + 1) * share),
            speaker: item.speaker ?? unnamed,
          })
    }
  // A segment with words of its own needs no times.
  estimated_times ||=
    hasEstimates && segments.some(({ words, start, end }) => !words && (start === null || end === null))
  const numberOf = createSpeakerNumbering()
  const words = sortByStart(spoken).map((span) => ({ ...span, speaker: numberOf(span.speaker) }))
  return { words, estimated_times }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readText = (given: string): GivenTranscript => {
  const text = given.replace(/^\ufeff/, "")
  const data = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  if (typeof data === "object" && data !== null) return readTranscript(data)
  if (hasCues(text)) return assemble(readSubtitleSegments(text))
  throw new TranscriptError(/^\s*[[{]/.test(text) ? "is not valid JSON" : SHAPES)
}

/** Returns true for words in the format of the service. A list without words is one, too. */
const isSpanList = (list: readonly unknown[]): boolean => {
  const first = list[0]
  return typeof first !== "object" || first === null || !("text" in first || "transcript" in first)
}

const readList = (list: readonly unknown[]): GivenTranscript =>
  isSpanList(list) ? readSpans(list) : assemble(readJsonSegments(list))

/**
 * Reads a transcript in any of the supported formats: word spans, also as `words` or `transcription` of an object; the JSON
 * of Whisper, OpenAI, Deepgram or AssemblyAI; SRT or WebVTT; or the text of a JSON file. Words are trimmed and sorted by
 * start. The words of a segment without word times share its time in proportion to their length.
 * @throws TranscriptError
 */
export const readTranscript = (given: unknown): GivenTranscript => {
  if (typeof given === "string") return readText(given)
  if (Array.isArray(given)) return readList(given)
  if (typeof given !== "object" || given === null) throw new TranscriptError(SHAPES)
  const { transcription } = given as { readonly transcription?: unknown }
  if (Array.isArray(transcription)) return readList(transcription)
  return assemble(readJsonSegments(given as Readonly<Record<string, unknown>>))
}

/** A transcript as callers give it: word spans, the JSON of another tool, or the text of a file. */
export type TranscriptInput = readonly z.input<typeof wordSpan>[] | object | string

const { $schema: _, ...spanSchema } = z.toJSONSchema(wordSpan, { io: "input" })

/** The schema of `transcription` in requests. */
export const givenTranscript = (z.unknown() as z.ZodType<TranscriptInput, TranscriptInput>)
  .meta({
    anyOf: [
      { type: "array", items: spanSchema, maxItems: MAX_WORDS },
      { type: "object", additionalProperties: true },
      { type: "string" },
    ],
    description:
      "Word spans, the JSON of Whisper, OpenAI, Deepgram or AssemblyAI, or the text of an SRT, WebVTT or JSON file",
  })
  .transform((given, ctx): GivenTranscript => {
    try {
      return readTranscript(given)
    } catch (error) {
      if (!(error instanceof TranscriptError)) throw error
      ctx.addIssue({ code: "custom", path: [...error.path], message: error.reason })
      return z.NEVER
    }
  })
