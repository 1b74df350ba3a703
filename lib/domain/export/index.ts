import type { Clip, ExportFormat } from "../clips.ts"
import { toChapters, toFfmetadata, toYouTube } from "./chapters.ts"
import type { ExportableClip } from "./clip-text.ts"
import { safeFileName } from "./file-name.ts"
import { toSrt, toVtt } from "./subtitles.ts"
import { toJson, toMarkdown, toTxt } from "./transcripts.ts"

type Exporter = {
  readonly write: (clip: ExportableClip) => string
  readonly type: string
  readonly extension: string
}

const EXPORTERS: Readonly<Record<ExportFormat, Exporter>> = {
  srt: { write: toSrt, type: "application/x-subrip; charset=utf-8", extension: "srt" },
  vtt: { write: toVtt, type: "text/vtt; charset=utf-8", extension: "vtt" },
  txt: { write: toTxt, type: "text/plain; charset=utf-8", extension: "txt" },
  md: { write: toMarkdown, type: "text/markdown; charset=utf-8", extension: "md" },
  json: { write: toJson, type: "application/json", extension: "json" },
  chapters: { write: toChapters, type: "application/json+chapters", extension: "chapters.json" },
  ffmetadata: { write: toFfmetadata, type: "text/plain; charset=utf-8", extension: "ffmetadata" },
  youtube: { write: toYouTube, type: "text/plain; charset=utf-8", extension: "youtube.txt" },
}

/** An exported clip: its content, its media type and its file name. */
export type ExportedFile = { readonly text: string; readonly type: string; readonly name: string }

/** Returns the media type of a format, without its character set. */
export const mediaTypeOf = (format: ExportFormat): string => EXPORTERS[format].type.split(";")[0]!

/** Returns the file name extension of a format, without the dot. */
export const exportExtension = (format: ExportFormat): string => EXPORTERS[format].extension

/** Converts a clip to a format. */
export const exportClip = (clip: Clip, format: ExportFormat): ExportedFile => {
  const { write, type, extension } = EXPORTERS[format]
  return { text: write(clip), type, name: `${safeFileName(clip.title)}.${extension}` }
}
