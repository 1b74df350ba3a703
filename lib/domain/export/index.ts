import type { ExportFormat, TextExportFormat } from "../clips.ts"
import { TEXT_EXPORT_FORMATS } from "../constants.ts"
import { toChapters, toFfmetadata, toYouTube } from "./chapters.ts"
import type { ExportableClip } from "./clip-text.ts"
import { safeFileName } from "./file-name.ts"
import { toHtml } from "./html/page.ts"
import { toSrt, toVtt } from "./subtitles.ts"
import { toJson, toMarkdown, toTxt } from "./transcripts.ts"

/** A format that needs a library and a process of its own (`lib/services/export/render/`). */
export type DocumentFormat = Exclude<ExportFormat, TextExportFormat>

const TYPES: Readonly<Record<ExportFormat, { readonly type: string; readonly extension: string }>> = {
  srt: { type: "application/x-subrip; charset=utf-8", extension: "srt" },
  vtt: { type: "text/vtt; charset=utf-8", extension: "vtt" },
  txt: { type: "text/plain; charset=utf-8", extension: "txt" },
  md: { type: "text/markdown; charset=utf-8", extension: "md" },
  json: { type: "application/json", extension: "json" },
  chapters: { type: "application/json+chapters", extension: "chapters.json" },
  ffmetadata: { type: "text/plain; charset=utf-8", extension: "ffmetadata" },
  youtube: { type: "text/plain; charset=utf-8", extension: "youtube.txt" },
  html: { type: "text/html; charset=utf-8", extension: "html" },
  docx: { type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", extension: "docx" },
  pdf: { type: "application/pdf", extension: "pdf" },
}

const WRITERS: Readonly<Record<TextExportFormat, (clip: ExportableClip) => string>> = {
  srt: toSrt,
  vtt: toVtt,
  txt: toTxt,
  md: toMarkdown,
  json: toJson,
  chapters: toChapters,
  ffmetadata: toFfmetadata,
  youtube: toYouTube,
  html: toHtml,
}

export const isTextFormat = (format: ExportFormat): format is TextExportFormat =>
  TEXT_EXPORT_FORMATS.some((name) => name === format)

/** Returns the media type of a format, without its character set. */
export const mediaTypeOf = (format: ExportFormat): string => TYPES[format].type.split(";")[0]!

/** Returns the file name extension of a format, without the dot. */
export const exportExtension = (format: ExportFormat): string => TYPES[format].extension

/** Returns the content type and the file name of an exported clip. */
export const describeExport = (
  clip: Pick<ExportableClip, "title">,
  format: ExportFormat,
): { readonly type: string; readonly name: string } => ({
  type: TYPES[format].type,
  name: `${safeFileName(clip.title)}.${TYPES[format].extension}`,
})

/** Converts a clip to a text format. */
export const exportText = (clip: ExportableClip, format: TextExportFormat): string => WRITERS[format](clip)
