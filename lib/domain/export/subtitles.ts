import { isAttached, joinSpoken } from "../text/join-spoken.ts"
import type { WordSpan } from "../transcript/words.ts"
import { createSpeakerNamer, type ExportableClip, formatSubtitleTime, oneLine } from "./clip-text.ts"
import { groupByUtterance } from "./speaker-turns.ts"

/** Common limits for subtitles (BBC and Netflix guidelines: 37 to 42 characters, two lines, seven seconds). */
export const MAX_LINE_CHARS = 42
export const MAX_LINES = 2
export const MAX_CUE_S = 7
const MAX_LABEL_CHARS = MAX_LINE_CHARS - 2
/** A shorter cue is merged with the next one if both fit. */
const MIN_CUE_S = 1.2
/** A cue stays visible this long after its last word, or until the next cue. */
const HOLD_S = 0.8

/** One subtitle of at most two lines of 42 characters. Times are in seconds, and starts never decrease. */
export type Cue = {
  readonly start_s: number
  readonly end_s: number
  readonly speaker: string
  readonly lines: readonly string[]
}

/** Joins marks and parts of contractions with the word before them, so that no line begins with one. */
const attachMarks = (words: readonly WordSpan[]): WordSpan[] => {
  const joined: WordSpan[] = []
  for (const [i, word] of words.entries()) {
    const last = joined.at(-1)
    if (last && last.speaker === word.speaker && isAttached(words[i - 1]!.word, word.word))
      joined[joined.length - 1] = { ...last, word: last.word + word.word, end: Math.max(last.end, word.end) }
    else joined.push(word)
  }
  return joined
}

/** Splits a word that is longer than a line into parts that fit, and divides its time among them. */
const splitLongWord = (word: WordSpan): WordSpan[] => {
  const letters = [...oneLine(word.word)]
  if (letters.length === 0) return []
  const count = Math.ceil(letters.length / MAX_LINE_CHARS)
  const share = (word.end - word.start) / count
  return Array.from({ length: count }, (_, i) => ({
    ...word,
    word: letters.slice(i * MAX_LINE_CHARS, (i + 1) * MAX_LINE_CHARS).join(""),
    start: word.start + i * share,
    end: word.start + (i + 1) * share,
  }))
}

/** Wraps words into lines of at most 42 characters. Two lines get about the same length. */
const wrapLines = (tokens: readonly string[], prefix = ""): string[] => {
  const whole = prefix + joinSpoken(tokens)
  if ([...whole].length <= MAX_LINE_CHARS) return [whole]
  const lines: string[] = []
  let line = prefix.trimEnd()
  for (const token of tokens) {
    const longer = line === "" ? token : joinSpoken([line, token])
    if (line !== "" && [...longer].length > MAX_LINE_CHARS) {
      lines.push(line)
      line = token
    } else line = longer
  }
  lines.push(line)
  return lines.length === 2 ? balanceLines([...prefix.split(" ").filter(Boolean), ...tokens]) : lines
}

const balanceLines = (tokens: readonly string[]): string[] => {
  const cuts = tokens
    .slice(1)
    .map((_, i) => [joinSpoken(tokens.slice(0, i + 1)), joinSpoken(tokens.slice(i + 1))] as const)
  const longest = (cut: readonly string[]) => Math.max(...cut.map((l) => [...l].length))
  const best = cuts.reduce((a, b) => (longest(b) < longest(a) ? b : a))
  return [...best]
}

const findEnd = (words: readonly WordSpan[]): number => words.reduce((e, w) => Math.max(e, w.end), 0)

const wrapWords = (words: readonly WordSpan[], prefix: string): string[] =>
  wrapLines(
    words.map((w) => w.word),
    prefix,
  )

const fitsCue = (words: readonly WordSpan[], prefix: string): boolean =>
  (words.length < 2 || findEnd(words) - words[0]!.start <= MAX_CUE_S) && wrapWords(words, prefix).length <= MAX_LINES

const CLAUSE_END = /[,;:–—、，；：)\]]["'”’»]*$/u

/** Returns the best index at which to split a long sentence: after a clause, at a silence, near its middle. */
const findCut = (words: readonly WordSpan[]): number => {
  let best = 1
  let bestScore = Number.NEGATIVE_INFINITY
  for (let i = 1; i < words.length; i++) {
    const clause = CLAUSE_END.test(words[i - 1]!.word) ? 0.35 : 0
    const silence = Math.min(0.35, Math.max(0, words[i]!.start - words[i - 1]!.end))
    const score = clause + silence - Math.abs(i / words.length - 0.5)
    if (score > bestScore) {
      bestScore = score
      best = i
    }
  }
  return best
}

const splitToFit = (words: readonly WordSpan[], prefix: string): (readonly WordSpan[])[] => {
  if (words.length < 2 || fitsCue(words, prefix)) return [words]
  const cut = findCut(words)
  return [...splitToFit(words.slice(0, cut), prefix), ...splitToFit(words.slice(cut), "")]
}

/** Cuts the name in a label such as "Ada: " that would fill a line. */
const shortenLabel = (label: string): string => {
  const letters = [...label]
  return letters.length > MAX_LABEL_CHARS ? `${letters.slice(0, MAX_LABEL_CHARS - 3).join("")}…: ` : label
}

/**
 * Splits a transcript into subtitles at sentence ends and speaker changes, and long sentences at clauses and silences.
 * `label` returns the text before the first words of a turn, such as "Ada: ".
 */
export const buildCues = (transcript: readonly WordSpan[], label: (speaker: string) => string = () => ""): Cue[] => {
  const groups: { words: readonly WordSpan[]; prefix: string }[] = []
  let before: string | undefined
  for (const sentence of groupByUtterance(attachMarks(transcript).flatMap(splitLongWord))) {
    const speaker = sentence[0]!.speaker
    const isNewSpeaker = speaker !== before
    const last = groups.at(-1)
    if (!isNewSpeaker && last && findEnd(last.words) - last.words[0]!.start < MIN_CUE_S) {
      const joined = [...last.words, ...sentence]
      if (sentence[0]!.start - findEnd(last.words) < MIN_CUE_S && fitsCue(joined, last.prefix)) {
        last.words = joined
        continue
      }
    }
    const prefix = isNewSpeaker ? shortenLabel(label(speaker)) : ""
    splitToFit(sentence, prefix).forEach((words, i) => {
      groups.push({ words, prefix: i === 0 ? prefix : "" })
    })
    before = speaker
  }
  return groups.map(({ words, prefix }, i) => {
    const start_s = words[0]!.start
    const next = groups[i + 1]?.words[0]?.start ?? Number.POSITIVE_INFINITY
    const until = Math.min(findEnd(words) + HOLD_S, start_s + MAX_CUE_S, next > start_s ? next : start_s + MIN_CUE_S)
    return { start_s, end_s: until, speaker: words[0]!.speaker, lines: wrapWords(words, prefix) }
  })
}

/** Replacements for characters that players read as HTML tags or {\…} codes. SubRip has no escapes. */
const LOOKALIKE: Readonly<Record<string, string>> = { "<": "‹", ">": "›", "{": "(", "}": ")" }

const replaceMarkup = (line: string): string => line.replace(/[<>{}]/g, (char) => LOOKALIKE[char]!)

/** Writes SubRip: numbered cues, with the speaker's name before the first words of a turn. */
export const toSrt = (clip: ExportableClip): string => {
  const nameOf = createSpeakerNamer(clip)
  const label = (speaker: string) => {
    const name = nameOf(speaker)
    return name === null ? "" : `${name}: `
  }
  return buildCues(clip.transcription, label)
    .map(({ start_s, end_s, lines }, i) => {
      const times = `${formatSubtitleTime(start_s, ",")} --> ${formatSubtitleTime(end_s, ",")}`
      return `${i + 1}\n${times}\n${lines.map(replaceMarkup).join("\n")}\n`
    })
    .join("\n")
}

const ENTITY: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** Escapes cue text. Escaping `>` also avoids `-->`, which the format forbids in cues. */
const escapeCueText = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITY[char]!)

/** Writes WebVTT (W3C), with the speaker of each cue in a voice tag. */
export const toVtt = (clip: ExportableClip): string => {
  const nameOf = createSpeakerNamer(clip)
  const cues = buildCues(clip.transcription).map(({ start_s, end_s, speaker, lines }) => {
    const times = `${formatSubtitleTime(start_s, ".")} --> ${formatSubtitleTime(end_s, ".")}`
    const name = nameOf(speaker)
    const text = lines.map(escapeCueText).join("\n")
    return `${times}\n${name === null ? text : `<v ${escapeCueText(name)}>${text}</v>`}\n`
  })
  return ["WEBVTT\n", `NOTE\n${escapeCueText(oneLine(clip.title))}\n`, ...cues].join("\n")
}
