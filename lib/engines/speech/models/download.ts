import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, rm, stat } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { AppError, messageOf } from "../../../domain/errors.ts"
import { openWeb } from "./http-download.ts"

export type DownloadOptions = {
  /** The unfinished file; what is there already is gone on with. */
  readonly part: string
  /** Null: not known. */
  readonly bytes: number | null
  /** Bytes after which it is given up: it cannot be what was asked for. */
  readonly most: number
  /** Hex, or `git:` and the hex of git's own name for the content (sha1). */
  readonly checksum: string
  readonly proxy: string | undefined
  /** Longest silence before the connection is given up and made anew. */
  readonly idleMs: number
  /** Wait before the second attempt; doubles. */
  readonly pauseMs: number
  readonly signal: AbortSignal
  readonly progress: (bytes: number) => void
}

/** Connections in a row that may bring nothing new. */
const MAX_FAILURES = 5

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Checksum of a file, of the kind that is compared with. */
export const checksumOf = async (path: string, like: string | null): Promise<string> => {
  const isGit = like?.startsWith("git:") ?? false
  const hash = createHash(isGit ? "sha1" : "sha256")
  if (isGit) hash.update(`blob ${await sizeOf(path)}\0`)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return `${isGit ? "git:" : ""}${hash.digest("hex")}`
}

class Refused extends Error {}
/** What came is not the file: nothing of it is gone on with. */
class OtherFile extends Refused {}

const tooLong = (url: string, most: number): OtherFile =>
  new OtherFile(`${new URL(url).host} sends more than the ${most} bytes that ${new URL(url).pathname} may have`)

/** One connection: goes on where the file ends, or begins anew where the server cannot. */
const fetchOnce = async (url: string, options: DownloadOptions): Promise<void> => {
  const { part, bytes, most, signal, progress } = options
  const found = await sizeOf(part)
  if (bytes !== null && found === bytes) return
  if (found > most) await rm(part, { force: true })
  const have = found > most ? 0 : found
  const headers: Record<string, string> = have > 0 ? { range: `bytes=${have}-` } : {}
  const response = await openWeb(url, { ...options, headers })
  try {
    const status = response.statusCode ?? 0
    if (status === 416) {
      // Nothing follows what is there: it is whole, or the file became shorter.
      const whole = Number(/\/(\d+)$/.exec(response.headers["content-range"] ?? "")?.[1])
      if (whole !== have) await rm(part, { force: true })
      if (whole === have) return
      throw new Error("the file became shorter meanwhile")
    }
    if (status >= 400 && status < 500 && status !== 408 && status !== 429)
      throw new Refused(`${new URL(url).host} answers ${status} for ${new URL(url).pathname}`)
    if (status !== 200 && status !== 206) throw new Error(`${new URL(url).host} answers ${status}`)
    let at = status === 206 ? have : 0
    const declared = response.headers["content-length"]
    if (at + Number(declared ?? 0) > most) throw tooLong(url, most)
    if (status === 200 && bytes !== null && declared !== undefined && Number(declared) !== bytes)
      throw new OtherFile(
        `${new URL(url).host} gives something of ${Number(declared)} bytes for ${new URL(url).pathname}, which has ${bytes}: does this network want a login, or is the mirror's address wrong?`,
      )
    const file = await open(part, status === 206 ? "a" : "w")
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        if (at + chunk.length > most) throw tooLong(url, most)
        await file.write(chunk)
        at += chunk.length
        progress(at)
        signal.throwIfAborted()
      }
      const length = Number(declared)
      const expected = bytes ?? (Number.isFinite(length) ? length + (status === 206 ? have : 0) : at)
      if (at < expected) throw new Error("the connection was cut")
    } finally {
      await file.close()
    }
  } finally {
    response.destroy()
  }
}

const failed = (url: string, error: unknown): AppError => {
  const code = (error as NodeJS.ErrnoException).code
  if (error instanceof Refused || AppError.is(error))
    return new AppError("unavailable", messageOf(error), { cause: error })
  if (code === "ENOSPC")
    return new AppError("storage_full", "the disk is full: make room for the model, then try again", { cause: error })
  return new AppError("unavailable", `${new URL(url).host} cannot be fetched from (${code ?? messageOf(error)})`, {
    cause: error,
  })
}

/**
 * Fetches a file, however often the connection breaks, and checks it. A cut connection is gone on with; one that is
 * silent is given up and made anew; a wrong checksum is fetched once more from the start. What is there when it fails
 * stays, for the next attempt, unless its checksum is wrong or it is another file by its length.
 * @returns the checksum of what was fetched
 * @throws AppError `unavailable` or `storage_full` with the reason
 */
export const downloadFile = async (url: string, options: DownloadOptions): Promise<string> => {
  const { part, bytes, checksum, signal, pauseMs } = options
  for (let wrong = 0; ; ) {
    for (let failures = 0; ; ) {
      const before = await sizeOf(part)
      try {
        await fetchOnce(url, options)
        break
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof OtherFile) await rm(part, { force: true })
        const final = error instanceof Refused || AppError.is(error)
        if (final || (error as NodeJS.ErrnoException).code === "ENOSPC") throw failed(url, error)
        failures = (await sizeOf(part)) > before ? 1 : failures + 1
        if (failures >= MAX_FAILURES || (error as NodeJS.ErrnoException).code === "ENOTFOUND") throw failed(url, error)
        await sleep(pauseMs * 2 ** (failures - 1), undefined, { signal })
      }
    }
    const size = await sizeOf(part)
    const found = await checksumOf(part, checksum)
    if ((bytes === null || size === bytes) && found === checksum) return found
    await rm(part, { force: true })
    wrong++
    if (wrong === 2)
      throw new AppError(
        "unavailable",
        `what ${new URL(url).host} gives for ${new URL(url).pathname} has a wrong checksum`,
      )
  }
}
