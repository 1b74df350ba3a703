import { findFirstWordFrom } from "../../domain/partition-point.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { Span } from "./types.ts"

/** Words that one speaker said without a break, inside one time bucket. `speaker` counts from 1 by first appearance. */
export type Line = { readonly bucket: number; readonly speaker: number; readonly words: readonly WordSpan[] }

/** Seconds as `MM:SS`, rounded down; minutes may pass 59. */
export const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${String(Math.floor(whole / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`
}

/** Reads `MM:SS`, `H:MM:SS` and fractions of the last part, base 60. Seconds, or null when it is no time. */
export const parseClock = (text: string): number | null => {
  const parts = /^\s*(?:(\d+):)?(\d+):(\d+(?:[.,]\d+)?)\s*$/.exec(text)
  if (!parts) return null
  const [, hours = "0", minutes = "0", seconds = "0"] = parts
  return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds.replace(",", "."))
}

/** The words that start in `[start_s, end_s)`. Starts must not fall. */
export const wordsWithin = (words: readonly WordSpan[], span: Span): readonly WordSpan[] =>
  words.slice(findFirstWordFrom(words, span.start_s), findFirstWordFrom(words, span.end_s))

/** Speaker id → the number that stands for it in texts, from 1 by first appearance. */
export const speakerNumbers = (words: readonly WordSpan[]): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  for (const { speaker } of words) if (!numbers.has(speaker)) numbers.set(speaker, numbers.size + 1)
  return numbers
}

/**
 * Words as lines: one a speaker turn and time bucket (`floor(start / blockSeconds)`).
 * `numbers` are those of the whole recording, so that a speaker keeps the number in every part of it.
 */
export const linesOf = (
  words: readonly WordSpan[],
  blockSeconds: number,
  numbers: ReadonlyMap<string, number> = speakerNumbers(words),
): Line[] => {
  const lines: { bucket: number; speaker: number; words: WordSpan[] }[] = []
  for (const word of words) {
    const bucket = Math.floor(word.start / blockSeconds)
    const speaker = numbers.get(word.speaker) ?? numbers.size + 1
    const last = lines.at(-1)
    if (last && last.bucket === bucket && last.speaker === speaker) last.words.push(word)
    else lines.push({ bucket, speaker, words: [word] })
  }
  return lines
}

export const lineSpan = (line: Line): Span => ({
  start_s: line.words[0]!.start,
  end_s: line.words.reduce((end, word) => Math.max(end, word.end), 0),
})

/** `MM:SS-MM:SS Speaker K: <words>`; the end is rounded up, so that the line covers its words. */
export const timedLine = (line: Line): string => {
  const { start_s, end_s } = lineSpan(line)
  return `${clock(start_s)}-${clock(Math.ceil(end_s))} Speaker ${line.speaker}: ${line.words.map((w) => w.word).join(" ")}`
}

/** Lines as text, a blank line between buckets. */
export const renderLines = (lines: readonly Line[]): string =>
  lines
    .map((line, i) => (i > 0 && lines[i - 1]!.bucket !== line.bucket ? `\n${timedLine(line)}` : timedLine(line)))
    .join("\n")

/** The boundary text of a whole transcript: what a language model reads to find where topics change. */
export const boundaryText = (words: readonly WordSpan[], blockSeconds: number): string =>
  renderLines(linesOf(words, blockSeconds))

/** How many topics a stretch of this length usually holds: its minutes, clamped to 2–7. */
export const suggestedCount = ({ start_s, end_s }: Span): number =>
  Math.min(7, Math.max(2, Math.round((end_s - start_s) / 60)))
