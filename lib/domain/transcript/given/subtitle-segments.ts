import { splitWords } from "../estimate-word-times.ts"
import type { Segment, Segments } from "./segment.ts"

/** Hours may have more than two digits. WebVTT omits them below one hour; some SRT files omit the fraction. */
const CLOCK = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?`
const TIMES = new RegExp(String.raw`^\s*${CLOCK}\s*-->\s*${CLOCK}`)
const CUE_NUMBER = /^\s*\d+\s*$/
/** A tag of WebVTT or SRT, a time within a cue, or a position code of SubStation Alpha. */
const TAG = /<\/?[a-zA-Z][^<>]{0,200}>|<\d[\d:.]{3,15}>|<\/>|\{\\[^{}]{0,200}\}/g
const TIME_TAG = new RegExp(`^<${CLOCK}>$`)
const VOICE_TAG = /^<v(?:\.[^\s<>]{0,200})?\s+([^<>]{1,200})>$/
/** A dash or chevrons that mark another speaker. */
const DIALOGUE_MARK = /^\s*(?:[-–—]|>{2,3})\s+/
/** A machine's speaker label before the text, as WhisperX writes it. Other words before a colon may be speech. */
const SPEAKER_PREFIX = /^\s*\[?(speaker[ _-]?\w{1,4})\]?:\s+/i
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  lrm: "",
  rlm: "",
}

const toSeconds = ([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): number =>
  Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction ?? 0}`)

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|([a-z]{2,4}));/g, (whole, code: string | undefined, name: string | undefined) =>
    code === undefined ? (ENTITIES[name ?? ""] ?? whole) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
  )

type Cue = { readonly start: number; readonly end: number; readonly lines: string[] }

const readCues = (text: string): Cue[] => {
  const cues: Cue[] = []
  let open: Cue | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    const times = TIMES.exec(line)
    if (times) {
      // Without an empty line, the number of this cue was read as text of the previous one.
      if (open && CUE_NUMBER.test(open.lines.at(-1) ?? "")) open.lines.pop()
      open = { start: toSeconds(times.slice(1, 5)), end: toSeconds(times.slice(5, 9)), lines: [] }
      cues.push(open)
    } else if (line === "") open = null
    else open?.lines.push(line)
  }
  return cues
}

/** A part of a cue without tags. `at` is the time in seconds of the tag before it, if it had one. */
type Run = { readonly text: string; readonly at: number | null; readonly speaker: string | null }

const readRuns = (line: string, before: string | null): { readonly runs: Run[]; readonly voice: string | null } => {
  const runs: Run[] = []
  let [at, voice, from] = [null as number | null, before, 0]
  const push = (to: number): void => {
    const text = decodeEntities(line.slice(from, to))
    if (text.trim() !== "") runs.push({ text, at, speaker: voice })
  }
  for (const tag of line.matchAll(TAG)) {
    const name = VOICE_TAG.exec(tag[0])?.[1]
    const times = TIME_TAG.exec(tag[0])
    const isVoiceEnd = tag[0] === "</v>"
    push(tag.index)
    if (name !== undefined) voice = decodeEntities(name).trim()
    else if (isVoiceEnd) voice = null
    if (times) at = toSeconds(times.slice(1, 5))
    from = tag.index + tag[0].length
  }
  push(line.length)
  return { runs, voice }
}

/** Removes what is not speech from the start of a line, and returns the speaker that it names. */
const readPrefix = (run: Run): Run => {
  const text = run.text.replace(DIALOGUE_MARK, "")
  const label = SPEAKER_PREFIX.exec(text)
  return label ? { ...run, text: text.slice(label[0].length), speaker: label[1]! } : { ...run, text }
}

const lengthOf = (text: string): number => {
  let length = 0
  for (const word of splitWords(text)) length += word.length + 1
  return length
}

/** Divides the time of a cue among its runs: at their time tags, otherwise in proportion to their text. */
const toSegments = ({ start, end }: Cue, runs: readonly Run[]): Segment[] => {
  const groups: { from: number; runs: Run[] }[] = []
  for (const run of runs) {
    const from = Math.min(Math.max(run.at ?? start, start), Math.max(start, end))
    const last = groups.at(-1)
    if (last && from <= last.from) last.runs.push(run)
    else groups.push({ from, runs: [run] })
  }
  return groups.flatMap(({ from, runs: own }, i) => {
    const to = groups[i + 1]?.from ?? Math.max(end, from)
    const total = own.reduce((sum, run) => sum + lengthOf(run.text), 0) || 1
    let done = 0
    return own.map(({ text, speaker }) => {
      const at = from + ((to - from) * done) / total
      done += lengthOf(text)
      const until = from + ((to - from) * done) / total
      return { text, start: at, end: until, speaker, isEstimated: own.length > 1 }
    })
  })
}

/** Returns true for text with the cues of SRT or WebVTT. */
export const hasCues = (text: string): boolean => /^WEBVTT(?:[ \t\r\n]|$)/.test(text) || readCues(text).length > 0

/**
 * Reads SRT or WebVTT (W3C). Captions that roll up, as YouTube generates them, repeat the line before; the repetitions are
 * omitted. Notes, styles and regions are ignored.
 */
export const readSubtitleSegments = (text: string): Segments => {
  const cues = readCues(text)
  const rollsUp = cues.some(({ lines }) => lines.some((line) => /<\d[\d:.]{3,15}>/.test(line)))
  let lineBefore = ""
  const segments = cues.flatMap((cue) => {
    let voice: string | null = null
    const runs: Run[] = []
    let isStart = true
    for (const line of cue.lines) {
      const read = readRuns(line, voice)
      voice = read.voice
      const plain = read.runs.map((run) => run.text).join("")
      const isRepeated = rollsUp && isStart && plain.trim() === lineBefore
      if (plain.trim() === "") continue
      isStart = false
      if (isRepeated) continue
      lineBefore = plain.trim()
      runs.push(...read.runs.map((run, i) => (i === 0 ? readPrefix(run) : run)))
    }
    return toSegments(cue, runs)
  })
  return { segments, duration_s: null }
}
