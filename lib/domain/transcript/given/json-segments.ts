import * as z from "zod"
import { formatIssue } from "../../validation-messages.ts"
import { type GivenWord, type Segment, type Segments, SHAPES, TranscriptError } from "./segment.ts"

const time = z.number().nullish()
const speaker = z.union([z.string(), z.number()]).nullish()

/** Deepgram and WhisperX write `word`; AssemblyAI and whisper-timestamped write `text`. */
const word = z.object({
  word: z.string().nullish(),
  punctuated_word: z.string().nullish(),
  text: z.string().nullish(),
  start: time,
  end: time,
  speaker,
  speaker_id: speaker,
})
const words = z.array(word).nullish()

/** A segment of Whisper, an utterance of Deepgram or AssemblyAI, or a sentence. whisper.cpp gives offsets in milliseconds. */
const segment = z.object({
  text: z.string().nullish(),
  transcript: z.string().nullish(),
  start: time,
  end: time,
  offsets: z.object({ from: z.number(), to: z.number() }).nullish(),
  speaker,
  speaker_id: speaker,
  words,
})
const segments = z.array(segment)

type Word = z.infer<typeof word>

const parse = <T>(schema: z.ZodType<T>, value: unknown, path: readonly PropertyKey[]): T => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new TranscriptError(formatIssue(issue), [...path, ...issue.path])
}

const speakerOf = ({ speaker, speaker_id }: Pick<Word, "speaker" | "speaker_id">): string | null =>
  String(speaker ?? speaker_id ?? "") || null

/** @param unitsPerSecond 1 for times in seconds, 1000 for milliseconds */
const toWords = (list: readonly Word[], unitsPerSecond: number): GivenWord[] =>
  list.map((item) => ({
    word: item.punctuated_word ?? item.word ?? item.text ?? "",
    start: item.start == null ? null : item.start / unitsPerSecond,
    end: item.end == null ? null : item.end / unitsPerSecond,
    speaker: speakerOf(item),
  }))

const readSegments = (value: unknown, path: readonly PropertyKey[], unitsPerSecond = 1): Segment[] =>
  parse(segments, value, path).map((item, i) => {
    const text = item.text ?? item.transcript
    if (text == null && !item.words?.length) throw new TranscriptError("must have text", [...path, i])
    const { start = null, end = null } = item.offsets
      ? { start: item.offsets.from / 1000, end: item.offsets.to / 1000 }
      : { start: item.start && item.start / unitsPerSecond, end: item.end && item.end / unitsPerSecond }
    const own = item.words?.length ? { words: toWords(item.words, unitsPerSecond) } : {}
    return { text: text ?? "", start, end, speaker: speakerOf(item), ...own }
  })

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const isFilledList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0
const firstOf = (value: unknown): Json => (isFilledList(value) && isObject(value[0]) ? value[0] : {})
const numberOf = (value: unknown): number | null => (typeof value === "number" && value > 0 ? value : null)

/** Returns true for the words or utterances of AssemblyAI, whose times are in milliseconds. */
const isAssemblyAi = (list: unknown): boolean => {
  const first = firstOf(list)
  return "text" in first && !("word" in first) && "confidence" in first
}

const readAssemblyAi = ({ words: list, utterances, audio_duration }: Json): Segments => {
  // The service rounds the length to whole seconds.
  const length_s = numberOf(audio_duration)
  const duration_s = length_s === null ? null : length_s + 1
  if (isFilledList(utterances)) return { segments: readSegments(utterances, ["utterances"], 1000), duration_s }
  const given = toWords(parse(words, list, ["words"]) ?? [], 1000)
  return { segments: [{ text: "", start: null, end: null, speaker: null, words: given }], duration_s }
}

/** Reads one channel of Deepgram: its best alternative, by words, else by sentences of its paragraphs. */
const readChannel = (channel: unknown, path: readonly PropertyKey[], name: string | null): Segment[] => {
  const best = firstOf(isObject(channel) ? channel.alternatives : undefined)
  const at = [...path, "alternatives", 0]
  const nameSpeaker = <T extends { readonly speaker: string | null }>(item: T): T =>
    name === null ? item : { ...item, speaker: `channel ${name} ${item.speaker ?? ""}`.trim() }
  if (isFilledList(best.words)) {
    const given = toWords(parse(words, best.words, [...at, "words"]) ?? [], 1)
    return [{ text: "", start: null, end: null, speaker: null, words: given.map(nameSpeaker) }]
  }
  const paragraphs = isObject(best.paragraphs) ? best.paragraphs.paragraphs : undefined
  if (!isFilledList(paragraphs)) return []
  return paragraphs.flatMap((paragraph, i) => {
    const { sentences, speaker: own } = isObject(paragraph) ? paragraph : ({} as Json)
    const read = readSegments(sentences ?? [], [...at, "paragraphs", "paragraphs", i, "sentences"])
    const speaker = typeof own === "number" || typeof own === "string" ? String(own) : null
    return read.map((sentence) => nameSpeaker({ ...sentence, speaker: sentence.speaker ?? speaker }))
  })
}

const readDeepgram = ({ results, metadata }: { readonly results: Json; readonly metadata: unknown }): Segments => {
  const channels = results.channels as readonly unknown[]
  const read = channels.flatMap((channel, i) =>
    readChannel(channel, ["results", "channels", i], channels.length > 1 ? String(i) : null),
  )
  const duration_s = numberOf(isObject(metadata) ? metadata.duration : undefined)
  if (read.length > 0 || !isFilledList(results.utterances)) return { segments: read, duration_s }
  return { segments: readSegments(results.utterances, ["results", "utterances"]), duration_s }
}

/** Reads Whisper, WhisperX, whisper.cpp and the verbose JSON of OpenAI: all words in one list, else those of segments. */
const readWhisper = ({ words: list, segments: parts, text, duration }: Json): Segments => {
  const duration_s = numberOf(duration)
  const inSegments = Array.isArray(parts) ? readSegments(parts, ["segments"]) : []
  if (!isFilledList(list)) return { segments: inSegments, duration_s }
  const given = toWords(parse(words, list, ["words"]) ?? [], 1)
  const written = typeof text === "string" ? text : inSegments.map((part) => part.text).join(" ")
  return { segments: [{ text: written, start: null, end: null, speaker: null, words: given }], duration_s }
}

/** @throws TranscriptError for an object without words or segments */
const rejectObject = (value: Json): never => {
  if (typeof value.status === "string" && value.status !== "completed")
    throw new TranscriptError(`has the status '${value.status.slice(0, 40)}' and no words; wait until it is completed`)
  if (typeof value.text === "string")
    throw new TranscriptError("has text without times; request word times, or the format verbose_json, from the tool")
  throw new TranscriptError(SHAPES)
}

/**
 * Reads the JSON of Whisper (also WhisperX, whisper.cpp), OpenAI, Deepgram or AssemblyAI.
 * @throws TranscriptError
 */
export const readJsonSegments = (value: Json | readonly unknown[]): Segments => {
  if (!isObject(value)) return { segments: readSegments(value, []), duration_s: null }
  // Deepgram's SDK wraps the response.
  const { results, metadata } = isObject(value.result) ? value.result : value
  if (isObject(results) && Array.isArray(results.channels)) return readDeepgram({ results, metadata })
  if (!Array.isArray(value.segments) && (isAssemblyAi(value.words) || isAssemblyAi(value.utterances)))
    return readAssemblyAi(value)
  if (Array.isArray(value.words) || Array.isArray(value.segments)) return readWhisper(value)
  return rejectObject(value)
}
