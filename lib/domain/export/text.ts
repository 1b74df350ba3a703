import type { Clip } from "../clips.ts"

/** What every exporter works on: a clip without what belongs to the service alone. */
export type Exported = Omit<Clip, "file_path">

/** Text on one line: control characters and line breaks of any kind become spaces, halves of characters are mended. */
export const oneLine = (text: string): string =>
  text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, " ")
    .trim()

const pad = (n: number, digits: number): string => String(n).padStart(digits, "0")

/** Seconds as `HH:MM:SS` and milliseconds after `mark`, as subtitles write them. */
export const subtitleTime = (seconds: number, mark: "," | "."): string => {
  const ms = Math.max(0, Math.round(seconds * 1000))
  const s = Math.floor(ms / 1000)
  return `${pad(Math.floor(s / 3600), 2)}:${pad(Math.floor(s / 60) % 60, 2)}:${pad(s % 60, 2)}${mark}${pad(ms % 1000, 3)}`
}

/** Seconds as `M:SS`, from an hour on as `H:MM:SS`. */
export const clockTime = (seconds: number): string => {
  const s = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(s / 3600)
  const rest = `${pad(s % 60, 2)}`
  return hours > 0 ? `${hours}:${pad(Math.floor(s / 60) % 60, 2)}:${rest}` : `${Math.floor(s / 60)}:${rest}`
}

/**
 * The name to print for a speaker: what people gave, else "Speaker 1" for id "0". Null where one unnamed voice speaks
 * all the time: there a label would say nothing.
 */
export const speakerNames = ({ transcription, speakers }: Exported): ((id: string) => string | null) => {
  const ids = new Set(transcription.map((w) => w.speaker))
  return (id) => {
    const given = oneLine(Object.hasOwn(speakers, id) ? speakers[id]! : "")
    if (given) return given
    if (ids.size < 2) return null
    return /^\d{1,6}$/.test(id) ? `Speaker ${Number(id) + 1}` : oneLine(id) || "Speaker"
  }
}
