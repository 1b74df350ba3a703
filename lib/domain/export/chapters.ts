import { formatClock } from "../text/format-clock.ts"
import { type ExportableClip, oneLine } from "./clip-text.ts"

/** A chapter, with times in seconds. */
export type Chapter = { readonly start_s: number; readonly end_s: number; readonly title: string }

/** Returns the level 1 topics as chapters in order of time, or one chapter for the whole clip if there are none. */
export const listChapters = (clip: ExportableClip): Chapter[] => {
  const [root] = clip.tree.topics
  const nodes = root ? (root.children.length > 0 ? root.children : [root]) : []
  const chapters = nodes.map(({ title, start_s, end_s }) => ({
    title: oneLine(title) || "Untitled",
    start_s: Math.max(0, start_s),
    end_s,
  }))
  if (chapters.length === 0) return [{ title: oneLine(clip.title) || "Untitled", start_s: 0, end_s: clip.duration_s }]
  return chapters.sort((a, b) => a.start_s - b.start_s)
}

const roundToMs = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Writes Podcasting 2.0 JSON chapters 1.2 (podcastindex.org, jsonChapters.md). Times are in seconds. */
export const toChapters = (clip: ExportableClip): string => {
  const chapters = listChapters(clip).map(({ start_s, end_s, title }) => ({
    startTime: roundToMs(start_s),
    ...(end_s > start_s && { endTime: roundToMs(end_s) }),
    title,
  }))
  return `${JSON.stringify({ version: "1.2.0", title: oneLine(clip.title), chapters }, null, 2)}\n`
}

/** Escapes special characters with a backslash (ffmpeg-formats, "Metadata"). */
const escapeFfmetadata = (text: string): string => oneLine(text).replace(/[=;#\\]/g, "\\$&")

const toMilliseconds = (seconds: number): number => Math.max(0, Math.round(seconds * 1000))

/**
 * Writes title and chapters in ffmpeg's metadata format, to be added to a media file with `ffmpeg -i talk.mp3 -i
 * talk.ffmetadata -map_metadata 1 -codec copy out.mp3`. A chapter ends no later than the next one starts.
 */
export const toFfmetadata = (clip: ExportableClip): string => {
  const chapters = listChapters(clip)
  const blocks = chapters.map(({ start_s, end_s, title }, i) => {
    const next = chapters[i + 1]?.start_s ?? Math.max(clip.duration_s, end_s)
    const end = Math.min(end_s > start_s ? end_s : next, next)
    const times = [`START=${toMilliseconds(start_s)}`, `END=${Math.max(toMilliseconds(start_s), toMilliseconds(end))}`]
    return ["[CHAPTER]", "TIMEBASE=1/1000", ...times, `title=${escapeFfmetadata(title)}`].join("\n")
  })
  return `${[";FFMETADATA1", `title=${escapeFfmetadata(clip.title)}`, ...blocks].join("\n")}\n`
}

/** YouTube requires ascending chapters of at least ten seconds, the first at 0:00. */
const MIN_YOUTUBE_CHAPTER_S = 10

/** Replaces angle brackets, which YouTube forbids in descriptions, and limits a title to 100 characters. */
const toYouTubeTitle = (title: string): string =>
  [...title.replaceAll("<", "‹").replaceAll(">", "›")].slice(0, 100).join("")

/** Writes lines such as `0:00 Title` for the description of a YouTube video. */
export const toYouTube = (clip: ExportableClip): string => {
  const lines: string[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const { start_s, title } of listChapters(clip)) {
    const at = lines.length === 0 ? 0 : Math.floor(start_s)
    if (
      at - last < MIN_YOUTUBE_CHAPTER_S ||
      (at > 0 && clip.duration_s > 0 && clip.duration_s - at < MIN_YOUTUBE_CHAPTER_S)
    )
      continue
    last = at
    lines.push(`${formatClock(at)} ${toYouTubeTitle(title)}`)
  }
  return `${lines.join("\n")}\n`
}
