import type { TopicDetail } from "../../domain/jobs/jobs.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { Span } from "./types.ts"

/** Consecutive words of one speaker in one time block. `speaker` counts from 1 in order of first appearance. */
export type TranscriptLine = { readonly block: number; readonly speaker: number; readonly words: readonly WordSpan[] }

/** Formats seconds as `MM:SS`, rounded down. Minutes may exceed 59. */
export const formatMinutes = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${String(Math.floor(whole / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`
}

/** Parses `MM:SS` or `H:MM:SS`, also with fractional seconds. Returns seconds, or null for other texts. */
export const parseClock = (text: string): number | null => {
  const parts = /^\s*(?:(\d+):)?(\d+):(\d+(?:[.,]\d+)?)\s*$/.exec(text)
  if (!parts) return null
  const [, hours = "0", minutes = "0", seconds = "0"] = parts
  return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds.replace(",", "."))
}

/** Numbers the speakers from 1 in order of first appearance. Returns the numbers by speaker ID. */
export const numberSpeakers = (words: readonly WordSpan[]): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  for (const { speaker } of words) if (!numbers.has(speaker)) numbers.set(speaker, numbers.size + 1)
  return numbers
}

/**
 * Groups words into lines, one per speaker turn and time block (`floor(start / blockSeconds)`). Pass the `numbers` of the
 * whole recording so that speakers keep their number in every excerpt.
 */
export const groupIntoLines = (
  words: readonly WordSpan[],
  blockSeconds: number,
  numbers: ReadonlyMap<string, number> = numberSpeakers(words),
): TranscriptLine[] => {
  const lines: { block: number; speaker: number; words: WordSpan[] }[] = []
  for (const word of words) {
    const block = Math.floor(word.start / blockSeconds)
    const speaker = numbers.get(word.speaker) ?? numbers.size + 1
    const last = lines.at(-1)
    if (last && last.block === block && last.speaker === speaker) last.words.push(word)
    else lines.push({ block, speaker, words: [word] })
  }
  return lines
}

export const getLineSpan = (line: TranscriptLine): Span => ({
  start_s: line.words[0]!.start,
  end_s: line.words.reduce((end, word) => Math.max(end, word.end), 0),
})

/** Formats a line as `MM:SS-MM:SS Speaker K: <words>`, with the end rounded up to the next second. */
export const formatLine = (line: TranscriptLine): string => {
  const { start_s, end_s } = getLineSpan(line)
  return `${formatMinutes(start_s)}-${formatMinutes(Math.ceil(end_s))} Speaker ${line.speaker}: ${line.words.map((w) => w.word).join(" ")}`
}

/** Formats lines as text, with a blank line between time blocks. */
export const formatLines = (lines: readonly TranscriptLine[]): string =>
  lines
    .map((line, i) => (i > 0 && lines[i - 1]!.block !== line.block ? `\n${formatLine(line)}` : formatLine(line)))
    .join("\n")

/** The factor of the usual number of topics for each detail. */
const DETAIL_FACTORS: Readonly<Record<TopicDetail, number>> = { fewer: 0.5, normal: 1, more: 2.5 }
/** The usual number of topics of an hour. */
const TOPICS_PER_HOUR = 7

/**
 * Returns the number of topics to suggest for a span, at least 2: one per minute up to 7, and above an hour 7 times the
 * square root of the hours, because people divide a recording into a handful of subjects however long it is. `fewer` halves
 * it; `more` multiplies it by 2.5, up to one per minute.
 */
export const suggestTopicCount = ({ start_s, end_s }: Span, detail: TopicDetail): number => {
  const minutes = (end_s - start_s) / 60
  const usual = Math.min(minutes, TOPICS_PER_HOUR * Math.sqrt(Math.max(1, minutes / 60)))
  return Math.max(2, Math.round(Math.min(minutes, usual * DETAIL_FACTORS[detail])))
}
