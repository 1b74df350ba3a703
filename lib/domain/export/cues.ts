import type { WordSpan } from "../transcript/words.ts"
import { oneLine } from "./text.ts"
import { sentencesOf } from "./turns.ts"

/** Subtitle limits of common practice (BBC and Netflix guidelines: 37 to 42 characters, two lines, seven seconds). */
export const MAX_LINE = 42
export const MAX_LINES = 2
export const MAX_CUE_S = 7
/** A sentence shown for less is joined with its neighbour, where both fit. */
const SHORT_S = 1.2
/** A cue may stay this long after its last word, if nothing follows sooner. */
const LINGER_S = 0.8

/** One subtitle: at most two lines of 42 characters. Seconds; starts never fall. */
export type Cue = {
  readonly start_s: number
  readonly end_s: number
  readonly speaker: string
  /** Whether another voice spoke before. */
  readonly turn: boolean
  readonly lines: readonly string[]
}

/** A word that is longer than a line, in pieces that are not, with its time shared among them. */
const pieces = (word: WordSpan): WordSpan[] => {
  const letters = [...oneLine(word.word)]
  if (letters.length === 0) return []
  const count = Math.ceil(letters.length / MAX_LINE)
  const share = (word.end - word.start) / count
  return Array.from({ length: count }, (_, i) => ({
    ...word,
    word: letters.slice(i * MAX_LINE, (i + 1) * MAX_LINE).join(""),
    start: word.start + i * share,
    end: word.start + (i + 1) * share,
  }))
}

/** Lines of at most 42 characters; two of them about equally long. */
export const wrap = (tokens: readonly string[], prefix = ""): string[] => {
  const whole = prefix + tokens.join(" ")
  if ([...whole].length <= MAX_LINE) return [whole]
  const lines: string[] = []
  let line = prefix.trimEnd()
  for (const token of tokens) {
    const longer = line === "" ? token : `${line} ${token}`
    if (line !== "" && [...longer].length > MAX_LINE) {
      lines.push(line)
      line = token
    } else line = longer
  }
  lines.push(line)
  return lines.length === 2 ? balance(whole.split(" ")) : lines
}

const balance = (tokens: readonly string[]): string[] => {
  const cuts = tokens.slice(1).map((_, i) => [tokens.slice(0, i + 1).join(" "), tokens.slice(i + 1).join(" ")] as const)
  const longest = (cut: readonly string[]) => Math.max(...cut.map((l) => [...l].length))
  const best = cuts.reduce((a, b) => (longest(b) < longest(a) ? b : a))
  return [...best]
}

const end = (words: readonly WordSpan[]): number => words.reduce((e, w) => Math.max(e, w.end), 0)

const linesOf = (words: readonly WordSpan[], prefix: string): string[] =>
  wrap(
    words.map((w) => w.word),
    prefix,
  )

const fits = (words: readonly WordSpan[], prefix: string): boolean =>
  (words.length < 2 || end(words) - words[0]!.start <= MAX_CUE_S) && linesOf(words, prefix).length <= MAX_LINES

const CLAUSE_END = /[,;:–—、，；：)\]]["'”’»]*$/u

/** Where a sentence that is too long is best parted: after a clause, at a silence, near its middle. */
const cutOf = (words: readonly WordSpan[]): number => {
  let best = 1
  let most = Number.NEGATIVE_INFINITY
  for (let i = 1; i < words.length; i++) {
    const clause = CLAUSE_END.test(words[i - 1]!.word) ? 0.35 : 0
    const silence = Math.min(0.35, Math.max(0, words[i]!.start - words[i - 1]!.end))
    const score = clause + silence - Math.abs(i / words.length - 0.5)
    if (score > most) {
      most = score
      best = i
    }
  }
  return best
}

const part = (words: readonly WordSpan[], prefix: string): (readonly WordSpan[])[] => {
  if (words.length < 2 || fits(words, prefix)) return [words]
  const cut = cutOf(words)
  return [...part(words.slice(0, cut), prefix), ...part(words.slice(cut), "")]
}

/**
 * A transcript as subtitles: they end where sentences and turns do, and inside long ones at clauses and silences.
 * `label` gives what stands before the first words of a turn ("Ada: "), or nothing.
 */
export const cuesOf = (transcript: readonly WordSpan[], label: (speaker: string) => string = () => ""): Cue[] => {
  const groups: { words: readonly WordSpan[]; turn: boolean; prefix: string }[] = []
  let before: string | undefined
  for (const sentence of sentencesOf(transcript.flatMap(pieces))) {
    const speaker = sentence[0]!.speaker
    const turn = speaker !== before
    const last = groups.at(-1)
    if (!turn && last && end(last.words) - last.words[0]!.start < SHORT_S) {
      const joined = [...last.words, ...sentence]
      if (sentence[0]!.start - end(last.words) < SHORT_S && fits(joined, last.prefix)) {
        last.words = joined
        continue
      }
    }
    const prefix = turn ? [...label(speaker)].slice(0, MAX_LINE - 2).join("") : ""
    part(sentence, prefix).forEach((words, i) => {
      groups.push({ words, turn: turn && i === 0, prefix: i === 0 ? prefix : "" })
    })
    before = speaker
  }
  return groups.map(({ words, turn, prefix }, i) => {
    const start_s = words[0]!.start
    const next = groups[i + 1]?.words[0]?.start ?? Number.POSITIVE_INFINITY
    const until = Math.min(end(words) + LINGER_S, start_s + MAX_CUE_S, next > start_s ? next : start_s + SHORT_S)
    return { start_s, end_s: until, speaker: words[0]!.speaker, turn, lines: linesOf(words, prefix) }
  })
}
