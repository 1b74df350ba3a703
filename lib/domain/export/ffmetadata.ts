import { chaptersOf } from "./chapters.ts"
import { type Exported, oneLine } from "./text.ts"

/** The format's own signs, each behind a backslash (ffmpeg-formats, "Metadata"). */
const escaped = (text: string): string => oneLine(text).replace(/[=;#\\]/g, "\\$&")

const milliseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1000))

/**
 * Title and chapters as ffmpeg takes them into a sound or video file: `ffmpeg -i talk.mp3 -i talk.ffmetadata
 * -map_metadata 1 -codec copy out.mp3`. Each chapter ends where the next begins at the latest.
 */
export const toFfmetadata = (clip: Exported): string => {
  const chapters = chaptersOf(clip)
  const blocks = chapters.map(({ start_s, end_s, title }, i) => {
    const next = chapters[i + 1]?.start_s ?? Math.max(clip.duration_s, end_s)
    const end = Math.min(end_s > start_s ? end_s : next, next)
    const times = [`START=${milliseconds(start_s)}`, `END=${Math.max(milliseconds(start_s), milliseconds(end))}`]
    return ["[CHAPTER]", "TIMEBASE=1/1000", ...times, `title=${escaped(title)}`].join("\n")
  })
  return `${[";FFMETADATA1", `title=${escaped(clip.title)}`, ...blocks].join("\n")}\n`
}
