import type { Clip, ExportFormat } from "../clips.ts"
import { toChapters } from "./chapters.ts"
import { toFfmetadata } from "./ffmetadata.ts"
import { safeFileName } from "./file-name.ts"
import { toJson } from "./json.ts"
import { toMarkdown } from "./markdown.ts"
import { toSrt } from "./srt.ts"
import type { Exported } from "./text.ts"
import { toTxt } from "./txt.ts"
import { toVtt } from "./vtt.ts"
import { toYouTube } from "./youtube.ts"

type Exporter = { readonly write: (clip: Exported) => string; readonly type: string; readonly ending: string }

const EXPORTERS: Readonly<Record<ExportFormat, Exporter>> = {
  srt: { write: toSrt, type: "application/x-subrip; charset=utf-8", ending: "srt" },
  vtt: { write: toVtt, type: "text/vtt; charset=utf-8", ending: "vtt" },
  txt: { write: toTxt, type: "text/plain; charset=utf-8", ending: "txt" },
  md: { write: toMarkdown, type: "text/markdown; charset=utf-8", ending: "md" },
  json: { write: toJson, type: "application/json", ending: "json" },
  chapters: { write: toChapters, type: "application/json+chapters", ending: "chapters.json" },
  ffmetadata: { write: toFfmetadata, type: "text/plain; charset=utf-8", ending: "ffmetadata" },
  youtube: { write: toYouTube, type: "text/plain; charset=utf-8", ending: "youtube.txt" },
}

export type ExportedFile = { readonly text: string; readonly type: string; readonly name: string }

/** A clip in one of the formats, with its media type and a name to keep it under. Pure. */
export const exportClip = (clip: Clip, format: ExportFormat): ExportedFile => {
  const { write, type, ending } = EXPORTERS[format]
  return { text: write(clip), type, name: `${safeFileName(clip.title)}.${ending}` }
}
