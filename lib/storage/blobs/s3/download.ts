import { createHash } from "node:crypto"
import { open, rm } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, join } from "node:path"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3"
import { AppError } from "../../../domain/errors.ts"
import { freeBytes, makeFolder } from "../../../platform/files/folder.ts"
import { createTempName } from "../../../platform/files/temp-files.ts"
import { blobNotFound, toStorageFullError } from "../bytes.ts"
import { hashOfKey, safeExtension } from "../keys.ts"
import type { BlobInfo, LocalBlob } from "../types.ts"
import type { Bucket } from "./client.ts"
import { isMissing, toS3Error } from "./errors.ts"

/** The maximum number of consecutive requests that return no data before the connection breaks. */
const MAX_READ_ATTEMPTS = 4
const MIN_RETRY_MS = 200
/** Disk space that a download leaves free. */
const SPARE_BYTES = 64 * 2 ** 20
/** Long enough for a worker with more space to take the job. */
const DISK_FULL_RETRY_MS = 30_000

export type ByteRange = {
  readonly key: string
  /** Both inclusive. */
  readonly start: number
  readonly end: number
  readonly etag?: string | undefined
}

/** Requests a range of an object. Returns null if the object does not exist. */
export const getRange = async (
  { client, sdk, bucket, prefix }: Pick<Bucket, "client" | "sdk" | "bucket" | "prefix">,
  { key, start, end, etag }: ByteRange,
  signal?: AbortSignal,
): Promise<GetObjectCommandOutput | null> => {
  const Range = `bytes=${start}-${end}`
  const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: prefix + key, Range, ...(etag && { IfMatch: etag }) })
  return client.send(command, signal ? { abortSignal: signal } : {}).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
}

/** Returns true if the connection failed, so that another one may deliver the rest. */
const isConnectionError = (error: unknown): boolean => {
  const converted = toS3Error(error, "", "")
  return AppError.is(converted) && converted.retry === "later"
}

async function* readChunks(b: Bucket, range: ByteRange, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  let position = range.start
  let attempts = 0
  while (position <= range.end) {
    const before = position
    try {
      const response = await getRange({ ...b, client: b.slowClient }, { ...range, start: position }, signal)
      if (response === null) throw blobNotFound(`s3://${b.bucket}/${b.prefix}${range.key}`)
      if (!(response.Body instanceof Readable)) throw new Error("the response has no body")
      for await (const chunk of response.Body as AsyncIterable<Uint8Array>) {
        position += chunk.byteLength
        yield chunk
      }
      if (position <= range.end) throw Object.assign(new Error("connection closed early"), { code: "ECONNRESET" })
    } catch (error) {
      signal?.throwIfAborted()
      attempts = position > before ? 1 : attempts + 1
      if (!isConnectionError(error) || attempts >= MAX_READ_ATTEMPTS) throw toS3Error(error, b.location, b.bucket)
      await sleep(MIN_RETRY_MS * 2 ** attempts, undefined, signal ? { signal } : {})
    }
  }
}

/** Streams a range of an object. If the connection breaks, requests the rest on a new one. */
export const readRange = (b: Bucket, range: ByteRange, signal?: AbortSignal): Readable =>
  Readable.from(readChunks(b, range, signal), { objectMode: false })

/** @throws AppError `storage_full` (`later`), because another worker may have enough space */
const assertFreeSpace = (dir: string, bytes: number): void => {
  const free = freeBytes(dir)
  if (free === null || free > bytes + SPARE_BYTES) return
  const mb = (n: number) => Math.ceil(n / 2 ** 20)
  throw new AppError(
    "storage_full",
    `Couldn't download the recording (${mb(bytes)} MB): ${dir} on ${hostname()} has only ${mb(free)} MB free. Free some space there, or set SERVICE_DATA_DIR to a larger disk.`,
    { retry: "later", retryInMs: DISK_FULL_RETRY_MS },
  )
}

/**
 * Downloads a blob into a temporary file in `dir` and verifies the hash in its key. Removes the file on any error. The next
 * process removes what a killed process leaves.
 */
export const downloadBlob = async (
  b: Bucket,
  { key, bytes }: BlobInfo,
  { dir, signal }: { readonly dir: string; readonly signal: AbortSignal },
): Promise<LocalBlob> => {
  makeFolder(dir)
  assertFreeSpace(dir, bytes)
  const path = join(dir, `${createTempName()}${safeExtension(basename(key))}`)
  const remove = () => rm(path, { force: true })
  const file = await open(path, "wx", 0o600)
  try {
    const hash = createHash("sha256")
    if (bytes > 0)
      for await (const chunk of readRange(b, { key, start: 0, end: bytes - 1 }, signal) as AsyncIterable<Buffer>) {
        hash.update(chunk)
        await file.write(chunk)
      }
    await file.close()
    const expected = hashOfKey(key)
    if (expected !== null && hash.digest("hex") !== expected)
      throw new AppError(
        "unavailable",
        `${b.location} returned other bytes for ${key} than were uploaded. Check the log of the storage, then upload the recording again.`,
        { retry: "retry" },
      )
    return { path, remove }
  } catch (error) {
    await file.close().catch(() => undefined)
    await remove()
    throw toStorageFullError(error, "retry the job")
  }
}
