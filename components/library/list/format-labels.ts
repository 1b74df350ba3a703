import type { ExportFormat } from "#lib/domain/clips.ts"

/** The names of the export formats in menus. */
export const FORMAT_LABELS: Readonly<Record<ExportFormat, string>> = {
  docx: "Word",
  pdf: "PDF",
  html: "Web page",
  txt: "Text",
  md: "Markdown with topics",
  srt: "Subtitles",
  vtt: "Web subtitles",
  chapters: "Podcast chapters",
  ffmetadata: "Chapters for ffmpeg",
  youtube: "YouTube chapters",
  json: "Full data",
}
