import { constants } from "node:fs"
import { type FileHandle, open, realpath } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { AppError } from "../domain/errors.ts"
import { uuid5 } from "../domain/ids.ts"
import type { SourceRef } from "../domain/jobs/source.ts"
import { mediaTitle } from "../engines/speech/audio/media-title.ts"
import { SNIFF_BYTES, sniff } from "../platform/files/detect-format.ts"
import { isInside, outsideRoots } from "../platform/files/roots.ts"
import { blobKey } from "../storage/blobs/keys.ts"
import type { BlobStore } from "../storage/blobs/types.ts"
import { download } from "./download.ts"
import type { FetchRules } from "./guarded-fetch.ts"
import type { OpenedSource, OpenSource } from "./types.ts"
import { youTubeAddress, youTubeId } from "./youtube.ts"
import { fetchVideo } from "./yt-dlp.ts"

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ""

/** The sentence for a path that cannot be opened; anything not expected here is thrown on as it is. */
const cannotOpen = (error: unknown, path: string): unknown => {
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return new AppError("not_found", `no such file: ${path}`, { cause: error })
    case "EACCES":
    case "EPERM":
      return new AppError("forbidden", `'${path}' may not be read: give the user of this service read permission`, {
        cause: error,
      })
    case "ELOOP":
    case "ENAMETOOLONG":
    case "ENXIO":
      return new AppError("invalid", `'${path}' is not a file that can be opened: give the path of a recording`, {
        cause: error,
      })
    default:
      return error
  }
}

const realFolders = async (folders: readonly string[]): Promise<string[]> =>
  Promise.all(folders.map((folder) => realpath(folder).catch(() => resolve(folder))))

/** The opened file's size, and its container by its first bytes. @throws AppError for anything but a recording */
const checkContent = async (file: FileHandle, path: string): Promise<Content> => {
  const stat = await file.stat()
  if (stat.isDirectory()) throw new AppError("invalid", `'${path}' is a folder: give the path of one recording`)
  if (!stat.isFile()) throw new AppError("invalid", `'${path}' is not a regular file: give the path of a recording`)
  if (stat.size === 0) throw new AppError("unsupported_media", `'${path}' is empty: give a file that holds a recording`)
  const head = Buffer.alloc(SNIFF_BYTES)
  const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0)
  const format = containerOf(head.subarray(0, bytesRead), path)
  return { format, head: head.subarray(0, bytesRead), size: stat.size, mtimeMs: stat.mtimeMs }
}

/** The container of a recording by its first bytes. @throws AppError `unsupported_media` for anything else */
export const containerOf = (head: Uint8Array, name: string): string => {
  const format = sniff(head)
  if (format !== null) return format
  throw new AppError(
    "unsupported_media",
    `'${name}': this is not a sound recording that can be read; give wav, flac, mp3, ogg, opus, m4a, mp4, webm or the like`,
  )
}

type Content = { readonly format: string; readonly head: Uint8Array; readonly size: number; readonly mtimeMs: number }
export type Recording = Content & { readonly file: FileHandle; readonly path: string }

/**
 * Opens a recording whose real path lies in one of the folders. Whoever calls closes `file`. The checks are made on
 * the opened file, so nothing that blocks (FIFO, device) is ever waited for, and nothing can be put in its place.
 * @param name what to call it in a refusal
 */
export const openRecording = async (
  given: string,
  { allowed, name = given, signal }: { allowed: readonly string[]; name?: string; signal?: AbortSignal },
): Promise<Recording> => {
  if (!isInside(allowed, given)) throw outsideRoots(given, allowed)
  const path = await realpath(given).catch((error: unknown) => {
    throw cannotOpen(error, name)
  })
  if (!isInside(await realFolders(allowed), path)) throw outsideRoots(given, allowed, "leads")
  signal?.throwIfAborted()
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(path, flags).catch((error: unknown) => {
    throw cannotOpen(error, name)
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
  /** Where uploads lie. */
  readonly blobs: () => Promise<BlobStore>
  /** Where what was fetched lies until it is read. */
  readonly tempDir: string
  readonly fetch: FetchRules
  /** The program yt-dlp that was pulled; undefined: only one on PATH. */
  readonly ytDlp?: string
}

/** An upload as a file of this machine, looked at as every recording is. */
const openUpload = async (
  { path: address, name }: Extract<SourceRef, { kind: "upload" }>,
  { blobs: open, tempDir }: Pick<SourceFolders, "blobs" | "tempDir">,
  signal: AbortSignal,
): Promise<OpenedSource> => {
  const blobs = await open()
  const key = blobKey(blobs, address)
  if (key === null) throw new AppError("not_found", `'${name}' does not lie in ${blobs.place}: send it again`)
  const { path, remove } = await blobs.file(key, { dir: tempDir, signal })
  try {
    const { file } = await openRecording(path, { allowed: [dirname(path)], name, signal })
    await file.close()
  } catch (error) {
    await remove?.()
    throw error
  }
  return { path, sessionId: undefined, keptAt: blobs.addressOf(key), ...(remove && { remove }) }
}

/**
 * Opens sources for reading: real path inside the folders, a regular file, and by its first bytes a recording. A web
 * address, and an upload that lies elsewhere, is fetched into a file that its reader removes.
 */
export const createOpenSource =
  ({ roots, blobs, tempDir, fetch, ytDlp }: SourceFolders): OpenSource =>
  async (ref, signal) => {
    if ("url" in ref) {
      if (ref.kind === "youtube") {
        const { maxBytes, deadlineMs } = fetch
        const rules = { dir: tempDir, pulled: ytDlp, maxBytes, deadlineMs }
        const asked = youTubeId(new URL(ref.url)) ?? ""
        const { id, path, remove, about } = await fetchVideo(asked, rules, signal)
        const address = youTubeAddress(id)
        return { path, sessionId: uuid5(address), keptAt: null, remove, about, ...(id !== asked && { address }) }
      }
      const { path, name, remove } = await download(ref.url, { dir: tempDir, rules: fetch, signal })
      const tagged = await mediaTitle(path, signal).catch(async (error: unknown) => {
        await remove()
        throw error
      })
      const title = tagged ?? name
      const about = { title, channel: null, published_at: null }
      return { path, sessionId: undefined, keptAt: null, remove, ...(title !== null && { about }) }
    }
    if (ref.kind === "upload") return openUpload(ref, { blobs, tempDir }, signal)
    const { file, path } = await openRecording(ref.path, { allowed: roots, signal })
    await file.close()
    return { path, sessionId: uuid5(path), keptAt: path }
  }
