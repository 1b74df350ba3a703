import { Readable } from "node:stream"
import type { Clip, ExportFormat, TextExportFormat } from "../../domain/clips.ts"
import { AppError } from "../../domain/errors.ts"
import type { ExportableClip } from "../../domain/export/clip-text.ts"
import { renderRecordingPage } from "../../domain/export/html/page.ts"
import { describeExport, exportText, isTextFormat } from "../../domain/export/index.ts"
import { MAX_EXCERPT_S, openAudioExcerpt } from "../clips/audio-excerpt.ts"
import { type ClipAudio, openClipAudio } from "../clips/clip-audio.ts"
import { type ClipRef, getClip } from "../clips/clips.ts"
import type { Deps } from "../deps.ts"
import { collectNotes } from "../notes/notes.ts"
import { listSummaries } from "../summaries/summaries.ts"

/** An exported clip: its content, its media type and its file name. */
export type ExportedFile = {
  readonly content: string | Uint8Array | Readable
  readonly type: string
  readonly name: string
}

export type ExportOptions = {
  readonly format: ExportFormat
  /** True to put the recording into an HTML page. */
  readonly with_audio?: boolean
  /** True to add highlights and notes, in the formats md, json, html, docx and pdf. */
  readonly with_notes?: boolean
  /** True to add the summaries that were made from templates, in the same formats. */
  readonly with_summaries?: boolean
}

/** Adds what is wanted besides the recording itself. */
const addWanted = async (
  deps: Deps,
  clip: Clip,
  { with_notes = false, with_summaries = false }: Pick<ExportOptions, "with_notes" | "with_summaries">,
): Promise<Clip & Pick<ExportableClip, "notes" | "summaries">> => ({
  ...clip,
  ...(with_notes && { notes: await collectNotes(deps, { clip_id: clip.id }) }),
  ...(with_summaries && { summaries: (await listSummaries(deps, clip)).summaries }),
})

/** A larger recording is compressed before it becomes part of a page. */
const MAX_ORIGINAL_BYTES = 32 * 2 ** 20
/** Types that every browser plays. */
const PLAYABLE = ["audio/mpeg", "audio/mp4", "audio/wav", "audio/flac"]
/** A multiple of 3, so that the base64 of a line has no padding. */
const LINE_BYTES = 57 * 1024

type PageAudio = Pick<ClipAudio, "size" | "type" | "read" | "close">

const openPageAudio = async (deps: Deps, { id, duration_s }: Clip): Promise<PageAudio> => {
  const original = await openClipAudio(deps, { id })
  if (original.size <= MAX_ORIGINAL_BYTES && PLAYABLE.includes(original.type)) return original
  await original.close()
  return openAudioExcerpt(deps, { id }, { start_s: 0, end_s: Math.min(duration_s, MAX_EXCERPT_S) })
}

/** Encodes bytes as lines of base64. */
async function* toBase64Lines(source: Readable): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % LINE_BYTES)
    for (let from = 0; from < whole; from += LINE_BYTES) yield `${bytes.toString("base64", from, from + LINE_BYTES)}\n`
    rest = bytes.subarray(whole)
  }
  if (rest.length > 0) yield `${rest.toString("base64")}\n`
}

async function* writePage(clip: Clip, audio: PageAudio): AsyncGenerator<string> {
  const [head, tail] = renderRecordingPage(clip, { audio: { kind: "embedded", type: audio.type } })
  yield head
  yield* toBase64Lines(audio.read({ start: 0, end: audio.size - 1 }))
  yield tail
}

/** Converts a clip to a text format. @throws AppError `not_found` */
export const exportClipText = async (deps: Deps, ref: ClipRef, format: TextExportFormat): Promise<string> =>
  exportText(await getClip(deps, ref), format)

/**
 * Converts a clip to an export format.
 * @throws AppError `not_found` for an unknown clip, or with `with_audio` for one without a recording; `invalid` for
 *   `with_audio` with another format than html; others as `RenderDocument` and `openAudioExcerpt`
 */
export const exportClip = async (
  deps: Deps,
  ref: ClipRef,
  { format, with_audio = false, ...wanted }: ExportOptions,
  signal: AbortSignal,
): Promise<ExportedFile> => {
  if (with_audio && format !== "html")
    throw new AppError("invalid", "with_audio: only the format html can contain the recording")
  const clip = await addWanted(deps, await getClip(deps, ref), wanted)
  const file = describeExport(clip, format)
  if (with_audio) return { ...file, content: Readable.from(writePage(clip, await openPageAudio(deps, clip))) }
  if (isTextFormat(format)) return { ...file, content: exportText(clip, format) }
  const { file_path: _, ...exported } = clip
  return { ...file, content: await deps.renderDocument(format, exported, signal) }
}
