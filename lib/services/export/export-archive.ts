import { extname } from "node:path"
import { Readable } from "node:stream"
import { ZipFile } from "yazl"
import type { ClipFilters, ExportFormat } from "../../domain/clips.ts"
import { EXPORT_FORMATS } from "../../domain/constants.ts"
import { AppError } from "../../domain/errors.ts"
import { safeFileName } from "../../domain/export/file-name.ts"
import { exportExtension } from "../../domain/export/index.ts"
import { openClipAudio } from "../clips/clip-audio.ts"
import { type ClipRef, getClip } from "../clips/clips.ts"
import { toStoredFilters } from "../clips/list-clips.ts"
import { type Deps, requireStore } from "../deps.ts"
import type { RegionDeps } from "../map/topic-regions.ts"
import { type ExportedFile, exportClip } from "./export-clip.ts"

const PAGE_SIZE = 200

export type ArchiveRequest = ClipFilters & {
  readonly format: ExportFormat
  readonly ids?: readonly string[] | undefined
}

type ArchivedClip = { readonly id: string; readonly title: string; readonly created_at: string }

const listArchived = async (
  deps: Deps & RegionDeps,
  { format: _, ids, ...filters }: ArchiveRequest,
): Promise<ArchivedClip[]> => {
  const stored = await toStoredFilters(deps, filters)
  const wanted = ids && stored.ids ? ids.filter((id) => stored.ids!.includes(id)) : (ids ?? stored.ids)
  const found: ArchivedClip[] = []
  let cursor: string | undefined
  do {
    const page = await requireStore(deps).clips.list({ ...stored, ids: wanted, limit: PAGE_SIZE, cursor })
    found.push(...page.clips.map(({ id, title, created_at }) => ({ id, title, created_at })))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return found
}

/** Returns a function that names files after titles. Equal names are numbered, also if only capital letters differ. */
const createNamer = (extension: string) => {
  const used = new Set<string>()
  return (title: string): string => {
    const base = safeFileName(title)
    for (let n = 1; ; n++) {
      const name = `${base}${n === 1 ? "" : ` (${n})`}.${extension}`
      if (used.has(name.toLowerCase())) continue
      used.add(name.toLowerCase())
      return name
    }
  }
}

const toStream = (content: ExportedFile["content"]): Readable =>
  content instanceof Readable ? content : Readable.from([Buffer.from(content)])

/**
 * Returns a zip file with everything of a recording: one file per export format, with its notes and summaries, and the recording itself if it is stored. Each
 * file is made when the client has taken those before it. If that fails, as for a PDF without a font for the language, a text
 * file in its place says why.
 * @throws AppError `not_found`
 */
export const exportClipArchive = async (
  deps: Deps,
  ref: ClipRef,
  signal: AbortSignal,
): Promise<{ readonly content: Readable; readonly type: string; readonly name: string }> => {
  const clip = await getClip(deps, ref)
  const base = safeFileName(clip.title)
  const mtime = new Date(clip.created_at)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const add = (name: string, open: () => Promise<Readable>, options: { readonly compress: boolean }): void =>
    zip.addReadStreamLazy(`${base}/${name}`, { mtime, ...options }, (callback) => {
      open().then(
        (stream) => callback(null, stream),
        (error: unknown) =>
          AppError.is(error)
            ? callback(null, Readable.from([Buffer.from(`This file could not be written. ${error.message}\n`)]))
            : output.destroy(error as Error),
      )
    })
  for (const format of EXPORT_FORMATS)
    add(
      `${base}.${exportExtension(format)}`,
      async () =>
        toStream((await exportClip(deps, ref, { format, with_notes: true, with_summaries: true }, signal)).content),
      { compress: true },
    )
  if (clip.file_path !== null) {
    const extension = extname(clip.file_path) || ".audio"
    const openRecording = async () => {
      const audio = await openClipAudio(deps, ref)
      return audio.read({ start: 0, end: audio.size - 1 })
    }
    add(`${base}${extension}`, openRecording, { compress: false })
  }
  zip.end()
  return { content: output, type: "application/zip", name: `${base}.zip` }
}

/**
 * Returns a zip file with one exported file per clip, newest first. Each clip is read when the client has taken those before
 * it. In place of a clip that is deleted meanwhile, a file says so. If reading fails, the stream breaks off.
 * @throws AppError `not_found` if no clip matches
 */
export const exportArchive = async (
  deps: Deps & RegionDeps,
  request: ArchiveRequest,
  signal: AbortSignal,
): Promise<Readable> => {
  const clips = await listArchived(deps, request)
  if (clips.length === 0)
    throw new AppError("not_found", "No clip matches these filters, so there is nothing to export.")
  const zip = new ZipFile()
  const nameOf = createNamer(exportExtension(request.format))
  const output = zip.outputStream as Readable
  for (const { id, title, created_at } of clips)
    zip.addReadStreamLazy(nameOf(title), { mtime: new Date(created_at) }, (callback) => {
      exportClip(deps, { id }, { format: request.format }, signal)
        .then(
          ({ content }) => content,
          (error: unknown) => {
            if (AppError.is(error) && error.code === "not_found")
              return "This recording was deleted during the export.\n"
            throw error
          },
        )
        .then(
          (content) => callback(null, toStream(content)),
          (error: Error) => output.destroy(error),
        )
    })
  zip.end()
  return output
}
