import { estimateWordTimes } from "../../../domain/transcript/estimate-word-times.ts"
import type { TimedWord } from "../../../domain/transcript/words.ts"
import { regroupBlocks } from "../audio/chunks.ts"
import { decodePcm, SAMPLE_RATE } from "../audio/decode.ts"
import { probeMedia } from "../audio/probe-media.ts"
import { joinTokens } from "../transcript/join-tokens.ts"
import { takeTerms } from "../transcript/take-terms.ts"
import { offsetWords, roundToMilliseconds } from "../transcript/words.ts"
import type { TranscribeRequest } from "../types.ts"
import type { SpeechProcess } from "./process.ts"
import type { FeedResult, RecognizedSegment } from "./protocol.ts"

/** The samples of one message to the child process. */
const BLOCK_LENGTH = 5 * SAMPLE_RATE

/**
 * Returns the words of a segment in seconds of the recording. If the model reports no token times (Whisper exported without
 * attention), they are estimated within Whisper's sentences or the whole segment.
 */
const toWords = (
  segment: RecognizedSegment,
  terms: readonly string[],
): { readonly words: TimedWord[]; readonly estimated: boolean } => {
  const { tokens, timestamps, text, sentences, from_s, length_s, withTerms } = segment
  if (text.trim() === "") return { words: [], estimated: false }
  if (timestamps.length === tokens.length && tokens.length > 0) {
    const words = joinTokens(segment, { from_s, length_s })
    const other = withTerms ? joinTokens(withTerms, { from_s, length_s }) : []
    return { words: takeTerms(words, other, terms), estimated: false }
  }
  if (sentences.length === 0) return { words: estimateWordTimes(text, from_s, from_s + length_s), estimated: true }
  const clamp = (t: number): number => Math.min(Math.max(t, 0), length_s)
  // A sentence without an end time (length 0 or less) lasts until the next one, or to the end of the segment.
  const endOf = (i: number): number => {
    const { start, length } = sentences[i]!
    return length > 0 ? start + length : (sentences[i + 1]?.start ?? length_s)
  }
  const words = sentences.flatMap((s, i) => estimateWordTimes(s.text, clamp(s.start), clamp(endOf(i))))
  return { words: offsetWords(words, from_s), estimated: true }
}

export type StreamResult = {
  readonly words: TimedWord[]
  readonly duration_s: number
  /** The length of the recording in samples at 16 kHz. */
  readonly samples: number
  /** The requested language or, if the model reports languages, the one with the most speech. */
  readonly language: string | null
  /** True if word times are estimates. */
  readonly estimated: boolean
}

/** Streams a recording to a speech process, on which `begin` was called, and collects its words. */
export const streamRecording = async (
  { path, progress, onWords, terms = [] }: Pick<TranscribeRequest, "path" | "progress" | "onWords" | "terms">,
  {
    child,
    language,
    maxDuration_s,
    signal,
  }: {
    readonly child: SpeechProcess
    readonly language: string
    readonly maxDuration_s: number
    readonly signal: AbortSignal
  },
): Promise<StreamResult> => {
  const { duration_s: declared_s } = await probeMedia(path, signal, maxDuration_s)
  const words: TimedWord[] = []
  const languages = new Map<string, number>()
  let estimated = false
  let samples = 0
  const addResult = ({ segments, done_s }: FeedResult): void => {
    for (const segment of segments) {
      const found = toWords(segment, terms)
      words.push(...found.words)
      onWords?.(found.words)
      estimated ||= found.estimated
      if (segment.language) languages.set(segment.language, (languages.get(segment.language) ?? 0) + segment.length_s)
    }
    progress({ phase: "speech", done: done_s, total: Math.max(declared_s ?? 0, samples / SAMPLE_RATE) })
  }
  progress({ phase: "speech", done: 0, total: declared_s ?? 0 })
  for await (const pcm of regroupBlocks(decodePcm({ path, declared_s, maxDuration_s, signal }), BLOCK_LENGTH)) {
    samples += pcm.length
    addResult(await child.call("feed", { pcm }, { signal }))
  }
  addResult(await child.call("finish", null, { signal }))
  const [detected] = [...languages].sort((a, b) => b[1] - a[1])[0] ?? []
  const duration_s = roundToMilliseconds(samples / SAMPLE_RATE)
  return { words, duration_s, samples, language: detected ?? (language || null), estimated }
}
