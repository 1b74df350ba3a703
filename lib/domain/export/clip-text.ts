import type { Clip } from "../clips.ts"
import type { Note } from "../notes.ts"
import type { ClipSummary } from "../summaries.ts"

/** The data of a clip that exporters may use. The path of the file stays private. Notes and summaries are there if they are wanted. */
export type ExportableClip = Omit<Clip, "file_path"> & {
  readonly notes?: readonly Note[]
  readonly summaries?: readonly ClipSummary[]
}

/** Puts a text on one line: replaces control characters and line breaks by spaces, and unpaired surrogates by U+FFFD. */
export const oneLine = (text: string): string =>
  text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, " ")
    .trim()

const pad = (n: number, digits: number): string => String(n).padStart(digits, "0")

/** Formats seconds as a subtitle time, `HH:MM:SS` and milliseconds after `separator`. */
export const formatSubtitleTime = (seconds: number, separator: "," | "."): string => {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const s = Math.floor(ms / 1000)
  return `${pad(Math.floor(s / 3600), 2)}:${pad(Math.floor(s / 60) % 60, 2)}:${pad(s % 60, 2)}${separator}${pad(ms % 1000, 3)}`
}

/**
 * Returns a function that gives the name of a speaker: the assigned name, or "Speaker 1" for ID "0". It returns null if
 * the only speaker of the clip has no name.
 */
export const createSpeakerNamer = ({ transcription, speakers }: ExportableClip): ((id: string) => string | null) => {
  const ids = new Set(transcription.map((w) => w.speaker))
  return (id) => {
    const given = oneLine(Object.hasOwn(speakers, id) ? speakers[id]! : "")
    if (given) return given
    if (ids.size < 2) return null
    return /^\d{1,6}$/.test(id) ? `Speaker ${Number(id) + 1}` : oneLine(id) || "Speaker"
  }
}
