import { open, rm } from "node:fs/promises"
import { join } from "node:path"
import { AppError } from "../domain/errors.ts"
import { parseContentDispositionName } from "../domain/jobs/source.ts"
import { SNIFF_BYTES, sniff } from "../platform/files/detect-format.ts"
import { makeFolder } from "../platform/files/folder.ts"
import { createTempName } from "../platform/files/temp-files.ts"
import { type FetchRules, guardedFetch } from "./guarded-fetch.ts"

const toStorageFullError = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === "ENOSPC"
    ? new AppError("storage_full", "The disk of the service is full. Free some space, then retry the job.", {
        cause: error,
      })
    : error

const notMedia = (address: string): AppError =>
  new AppError(
    "unsupported_media",
    `Couldn't read ${address}: it is not a recording. Use the URL of the audio file itself.`,
  )

/**
 * Downloads the recording at a URL into a temporary file in `dir`. Stops if the first bytes are not those of a recording.
 * Removes the file on any error.
 * @returns the path, the file name in the response, and a function that removes the file
 */
export const download = async (
  address: string,
  { dir, rules, signal }: { readonly dir: string; readonly rules: FetchRules; readonly signal: AbortSignal },
): Promise<{ path: string; name: string | null; remove: () => Promise<void> }> => {
  const { headers, body } = await guardedFetch(address, rules, signal)
  makeFolder(dir)
  const path = join(dir, createTempName())
  const remove = () => rm(path, { force: true })
  const file = await open(path, "wx", 0o600)
  try {
    let head: Buffer | null = Buffer.alloc(0)
    for await (const chunk of body) {
      if (head) {
        head = Buffer.concat([head, chunk])
        if (head.length >= SNIFF_BYTES) {
          if (sniff(head) === null) throw notMedia(address)
          head = null
        }
      }
      await file.write(chunk)
    }
    if (head && sniff(head) === null) throw notMedia(address)
    await file.close()
    return { path, name: parseContentDispositionName(headers["content-disposition"]), remove }
  } catch (error) {
    await file.close().catch(() => undefined)
    await remove()
    throw toStorageFullError(error)
  }
}
