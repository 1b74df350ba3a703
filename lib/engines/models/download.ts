import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, rm, stat } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { AppError, messageOf } from "../../domain/errors.ts"
import { httpGet } from "./http-get.ts"

export type DownloadOptions = {
  /** The file to write. If it exists, the download resumes at its end. */
  readonly path: string
  /** The size of the file; null if unknown. */
  readonly bytes: number | null
  /** The maximum size. A larger file cannot be the requested one. */
  readonly maxBytes: number
  /** SHA-256 in hex, or `git:` followed by the SHA-1 of the Git blob in hex. */
  readonly checksum: string
  readonly proxy: string | undefined
  /** The time without data after which a connection is closed and a new one opened. */
  readonly idleMs: number
  /** The delay before the second attempt. It doubles with each further attempt. */
  readonly pauseMs: number
  readonly signal: AbortSignal
  readonly progress: (bytes: number) => void
}

/** Consecutive connections that may end without new data. */
const MAX_FAILURES = 5

const fileSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Computes the checksum of a file, as a Git blob hash if `like` is one, else as SHA-256. */
export const computeChecksum = async (path: string, like: string | null): Promise<string> => {
  const isGit = like?.startsWith("git:") ?? false
  const hash = createHash(isGit ? "sha1" : "sha256")
  if (isGit) hash.update(`blob ${await fileSize(path)}\0`)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return `${isGit ? "git:" : ""}${hash.digest("hex")}`
}

class PermanentError extends Error {}
/** The server sends a different file. The incomplete download is discarded. */
class WrongFileError extends PermanentError {}

const tooLargeError = (url: string, maxBytes: number): WrongFileError =>
  new WrongFileError(
    `${new URL(url).host} sends more than ${maxBytes} bytes for ${new URL(url).pathname}, the maximum for this file`,
  )

/** Downloads over one connection. Resumes at the end of the file if the server supports ranges, else starts again. */
const downloadOnce = async (url: string, options: DownloadOptions): Promise<void> => {
  const { path, bytes, maxBytes, signal, progress } = options
  const found = await fileSize(path)
  if (bytes !== null && found === bytes) return
  if (found > maxBytes) await rm(path, { force: true })
  const offset = found > maxBytes ? 0 : found
  const headers: Record<string, string> = offset > 0 ? { range: `bytes=${offset}-` } : {}
  const response = await httpGet(url, { ...options, headers })
  try {
    const status = response.statusCode ?? 0
    if (status === 416) {
      // No bytes after the offset: the file is complete, or it is now shorter on the server.
      const total = Number(/\/(\d+)$/.exec(response.headers["content-range"] ?? "")?.[1])
      if (total === offset) return
      await rm(path, { force: true })
      throw new Error("the file on the server became shorter")
    }
    if (status >= 400 && status < 500 && status !== 408 && status !== 429)
      throw new PermanentError(`${new URL(url).host} returned HTTP ${status} for ${new URL(url).pathname}`)
    if (status !== 200 && status !== 206) throw new Error(`${new URL(url).host} returned HTTP ${status}`)
    let received = status === 206 ? offset : 0
    const declared = response.headers["content-length"]
    if (received + Number(declared ?? 0) > maxBytes) throw tooLargeError(url, maxBytes)
    if (status === 200 && bytes !== null && declared !== undefined && Number(declared) !== bytes)
      throw new WrongFileError(
        `${new URL(url).host} sends ${Number(declared)} bytes for ${new URL(url).pathname} instead of ${bytes}. Does this network require a login, or is the address of the mirror wrong?`,
      )
    const file = await open(path, status === 206 ? "a" : "w")
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        if (received + chunk.length > maxBytes) throw tooLargeError(url, maxBytes)
        await file.write(chunk)
        received += chunk.length
        progress(received)
        signal.throwIfAborted()
      }
      const length = Number(declared)
      const expected = bytes ?? (Number.isFinite(length) ? length + (status === 206 ? offset : 0) : received)
      if (received < expected) throw new Error("the connection was interrupted")
    } finally {
      await file.close()
    }
  } finally {
    response.destroy()
  }
}

const toDownloadError = (url: string, error: unknown): AppError => {
  const code = (error as NodeJS.ErrnoException).code
  if (error instanceof PermanentError || AppError.is(error))
    return new AppError("unavailable", messageOf(error), { cause: error })
  if (code === "ENOSPC")
    return new AppError("storage_full", "The disk is full. Free some space for the model, then try again.", {
      cause: error,
    })
  return new AppError("unavailable", `${new URL(url).host} is unreachable (${code ?? messageOf(error)})`, {
    cause: error,
  })
}

/**
 * Downloads and verifies a file. Interrupted and idle connections are replaced, and the download resumes. A file with a
 * wrong checksum is downloaded once more. After a failure the incomplete file is kept for the next attempt, unless its
 * checksum or length shows that it is a different file.
 * @returns the checksum
 * @throws AppError `unavailable` or `storage_full`
 */
export const downloadFile = async (url: string, options: DownloadOptions): Promise<string> => {
  const { path, bytes, checksum, signal, pauseMs } = options
  for (let mismatches = 0; ; ) {
    for (let failures = 0; ; ) {
      const before = await fileSize(path)
      try {
        await downloadOnce(url, options)
        break
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof WrongFileError) await rm(path, { force: true })
        const isPermanent = error instanceof PermanentError || AppError.is(error)
        const { code } = error as NodeJS.ErrnoException
        if (isPermanent || code === "ENOSPC") throw toDownloadError(url, error)
        failures = (await fileSize(path)) > before ? 1 : failures + 1
        if (failures >= MAX_FAILURES || code === "ENOTFOUND") throw toDownloadError(url, error)
        await sleep(pauseMs * 2 ** (failures - 1), undefined, { signal })
      }
    }
    const size = await fileSize(path)
    const found = await computeChecksum(path, checksum)
    if ((bytes === null || size === bytes) && found === checksum) return found
    await rm(path, { force: true })
    mismatches++
    if (mismatches === 2)
      throw new AppError(
        "unavailable",
        `the file that ${new URL(url).host} sends for ${new URL(url).pathname} has a wrong checksum`,
      )
  }
}
