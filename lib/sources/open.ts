import { constants } from "node:fs"
import { type FileHandle, open, realpath } from "node:fs/promises"
import { resolve } from "node:path"
import { AppError } from "../domain/errors.ts"
import { uuid5 } from "../domain/ids.ts"
import type { SourceRef } from "../domain/jobs/source.ts"
import { readMediaTitle } from "../engines/speech/audio/probe-media.ts"
import { detectContainer, SNIFF_BYTES } from "../platform/files/detect-format.ts"
import { isInside, outsideRoots } from "../platform/files/roots.ts"
import { findBlobKey } from "../storage/blobs/keys.ts"
import type { BlobStore } from "../storage/blobs/types.ts"
import { download } from "./download.ts"
import type { FetchRules } from "./guarded-fetch.ts"
import type { OpenedSource, OpenSource } from "./types.ts"
import { youTubeId, youTubeUrl } from "./youtube.ts"
import { downloadVideo } from "./yt-dlp.ts"

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ""

/** Converts an error of opening a path to an AppError. Returns other errors unchanged. */
const toOpenError = (error: unknown, path: string): unknown => {
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return new AppError("not_found", `no such file: ${path}`, { cause: error })
    case "EACCES":
    case "EPERM":
      return new AppError(
        "forbidden",
        `Couldn't read ${path}: permission denied. Give the user of this service read permission.`,
        {
          cause: error,
        },
      )
    case "ELOOP":
    case "ENAMETOOLONG":
    case "ENXIO":
      return new AppError("invalid", `Couldn't open ${path}: not a regular file. Use the path of a recording.`, {
        cause: error,
      })
    default:
      return error
  }
}

const realFolders = async (folders: readonly string[]): Promise<string[]> =>
  Promise.all(folders.map((folder) => realpath(folder).catch(() => resolve(folder))))

/** Returns size and container of an opened file. @throws AppError if it is not a recording */
const checkContent = async (file: FileHandle, path: string): Promise<Content> => {
  const stat = await file.stat()
  if (stat.isDirectory())
    throw new AppError("invalid", `Couldn't read ${path}: it is a folder. Use the path of a recording.`)
  if (!stat.isFile())
    throw new AppError("invalid", `Couldn't read ${path}: not a regular file. Use the path of a recording.`)
  if (stat.size === 0)
    throw new AppError(
      "unsupported_media",
      `Couldn't read ${path}: the file is empty. Choose a file that contains audio.`,
    )
  const head = Buffer.alloc(SNIFF_BYTES)
  const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0)
  const format = detectContainer(head.subarray(0, bytesRead), path)
  return { format, head: head.subarray(0, bytesRead), size: stat.size, mtimeMs: stat.mtimeMs }
}

type Content = { readonly format: string; readonly head: Uint8Array; readonly size: number; readonly mtimeMs: number }
export type Recording = Content & { readonly file: FileHandle; readonly path: string }

/**
 * Opens a recording whose real path is inside one of the folders. The caller closes `file`. Checks the opened file, so that
 * a FIFO or device never blocks and the file cannot be replaced in between.
 * @param name display name for errors
 */
export const openRecording = async (
  given: string,
  { allowed, name = given, signal }: { allowed: readonly string[]; name?: string; signal?: AbortSignal },
): Promise<Recording> => {
  if (!isInside(allowed, given)) throw outsideRoots(given, allowed)
  const path = await realpath(given).catch((error: unknown) => {
    throw toOpenError(error, name)
  })
  if (!isInside(await realFolders(allowed), path)) throw outsideRoots(given, allowed, "link")
  signal?.throwIfAborted()
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(path, flags).catch((error: unknown) => {
    throw toOpenError(error, name)
  })
  try {
    return { ...(await checkContent(file, name)), file, path }
  } catch (error) {
    await file.close()
    throw error
  }
}

export type SourceFolders = {
  readonly roots: readonly string[]
  /** Opens the storage of uploads. */
  readonly blobs: () => Promise<BlobStore>
  /** Folder for temporary downloads. */
  readonly tempDir: string
  readonly fetch: FetchRules
  /** Path of an installed yt-dlp. Undefined: use the one on PATH. */
  readonly ytDlp?: string
}

/** Opens an upload as a local file and checks it like any recording. */
const openUpload = async (
  { path: address, name }: Extract<SourceRef, { kind: "upload" }>,
  { blobs: open, tempDir }: Pick<SourceFolders, "blobs" | "tempDir">,
  signal: AbortSignal,
): Promise<OpenedSource> => {
  const blobs = await open()
  const key = findBlobKey(blobs, address)
  if (key === null) throw new AppError("not_found", `Couldn't find ${name} in ${blobs.location}. Upload it again.`)
  const { path, remove } = await blobs.file(key, { dir: tempDir, signal })
  try {
    const { file } = await openRecording(path, { allowed: [path], name, signal })
    await file.close()
  } catch (error) {
    await remove?.()
    throw error
  }
  return { path, sessionId: undefined, keptAt: blobs.addressOf(key), ...(remove && { remove }) }
}

/**
 * Creates a function that opens sources: a regular file inside the folders with the first bytes of a recording. URLs and
 * remote uploads are downloaded to a temporary file, which the caller removes.
 */
export const createOpenSource =
  ({ roots, blobs, tempDir, fetch, ytDlp }: SourceFolders): OpenSource =>
  async (ref, signal) => {
    if ("url" in ref) {
      if (ref.kind === "youtube") {
        const { maxBytes, deadlineMs } = fetch
        const rules = { dir: tempDir, installed: ytDlp, maxBytes, deadlineMs }
        const requestedId = youTubeId(new URL(ref.url)) ?? ""
        const { id, path, remove, about } = await downloadVideo(requestedId, rules, signal)
        const address = youTubeUrl(id)
        return { path, sessionId: uuid5(address), keptAt: null, remove, about, ...(id !== requestedId && { address }) }
      }
      const { path, name, remove } = await download(ref.url, { dir: tempDir, rules: fetch, signal })
      const titleFromTags = await readMediaTitle(path, signal).catch(async (error: unknown) => {
        await remove()
        throw error
      })
      const title = titleFromTags ?? name
      const about = { title, channel: null, published_at: null }
      return { path, sessionId: undefined, keptAt: null, remove, ...(title !== null && { about }) }
    }
    if (ref.kind === "name")
      throw new AppError(
        "not_found",
        `'name:${ref.name}' has no transcript yet. Send its transcript in 'transcription'; a name is not a recording.`,
      )
    if (ref.kind === "upload") return openUpload(ref, { blobs, tempDir }, signal)
    const { file, path } = await openRecording(ref.path, { allowed: roots, signal })
    await file.close()
    return { path, sessionId: uuid5(path), keptAt: path }
  }
