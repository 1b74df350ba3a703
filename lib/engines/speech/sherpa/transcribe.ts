import { inBlocks } from "../audio/blocks.ts"
import { decodePcm, SAMPLE_RATE } from "../audio/decode.ts"
import { probeMedia } from "../audio/probe-media.ts"
import { milliseconds, type TimedWord } from "../transcript/words.ts"
import type { TranscribeRequest } from "../types.ts"
import type { SpeechProcess } from "./process.ts"
import type { FeedAnswer } from "./protocol.ts"
import { wordsOf } from "./words.ts"

/** How much sound goes to the child at once. */
const BLOCK = 5 * SAMPLE_RATE

export type Listened = {
  readonly words: TimedWord[]
  readonly duration_s: number
  /** All of it, at 16 kHz. */
  readonly samples: number
  /** The one that was asked for or, where the model tells, the one most was spoken in. */
  readonly language: string | null
  /** Word times are spread over longer stretches. */
  readonly estimated: boolean
}

/** Sends a recording through a child that has begun one, some seconds at a time, and gathers its words. */
export const listen = async (
  { path, progress }: Pick<TranscribeRequest, "path" | "progress">,
  {
    child,
    language,
    most_s,
    signal,
  }: {
    readonly child: SpeechProcess
    readonly language: string
    /** The longest recording that is taken. */
    readonly most_s: number
    readonly signal: AbortSignal
  },
): Promise<Listened> => {
  const { duration_s: declared_s } = await probeMedia(path, signal, most_s)
  const words: TimedWord[] = []
  const languages = new Map<string, number>()
  let estimated = false
  let samples = 0
  const take = ({ heard, done_s }: FeedAnswer): void => {
    for (const segment of heard) {
      const found = wordsOf(segment)
      words.push(...found.words)
      estimated ||= found.estimated
      if (segment.language) languages.set(segment.language, (languages.get(segment.language) ?? 0) + segment.length_s)
    }
    progress({ phase: "speech", done: done_s, total: Math.max(declared_s ?? 0, samples / SAMPLE_RATE) })
  }
  progress({ phase: "speech", done: 0, total: declared_s ?? 0 })
  for await (const pcm of inBlocks(decodePcm({ path, declared_s, most_s, signal }), BLOCK)) {
    samples += pcm.length
    take(await child.call("feed", { pcm }, { signal }))
  }
  take(await child.call("finish", null, { signal }))
  const [detected] = [...languages].sort((a, b) => b[1] - a[1])[0] ?? []
  const duration_s = milliseconds(samples / SAMPLE_RATE)
  return { words, duration_s, samples, language: detected ?? (language || null), estimated }
}
