import { statfs } from "node:fs/promises"
import { AppError } from "../../domain/errors.ts"
import type { BlobStore } from "./types.ts"

/** How many bytes of an upload arrive between two checks. */
const CHECK_INTERVAL_BYTES = 8 * 2 ** 20
/** Other processes store and delete uploads too, so the total is then measured again, while uploads go on. */
const MEASUREMENT_VALID_MS = 600_000
/** The total is not measured again for each upload that is rejected. */
const MIN_MEASUREMENT_INTERVAL_MS = 10_000

export type UploadLimits = {
  /** The maximum size of all uploads together. */
  readonly quotaBytes: number
  /** The space that uploads leave free on their disk. */
  readonly reserveBytes: number
}

/** Returns the free bytes at a folder, or null if it does not exist yet or its file system does not report them. */
const readFreeBytes = (dir: string): Promise<number | null> =>
  statfs(dir).then(
    ({ blocks, bavail, bsize }) => (blocks === 0 ? null : bavail * bsize),
    () => null,
  )

const toGigabytes = (bytes: number): string => String(Math.round((bytes / 2 ** 30) * 100) / 100)

const overQuota = (quotaBytes: number): AppError =>
  new AppError(
    "storage_full",
    `With this file, the uploads would take more than ${toGigabytes(quotaBytes)} GB, the limit set by SERVICE_UPLOAD_QUOTA_GB. Delete recordings or documents, or raise the limit.`,
  )

const diskAlmostFull = (reserveBytes: number): AppError =>
  new AppError(
    "storage_full",
    `The disk of the service has less than ${Math.round(reserveBytes / 2 ** 20)} MB left, which SERVICE_UPLOAD_RESERVE_MB keeps free. Free some space, then upload the file again.`,
  )

/** Limits the total size of the blobs in a store. Other methods are those of the store. */
export const withUploadLimits = (blobs: BlobStore, { quotaBytes, reserveBytes }: UploadLimits): BlobStore => {
  let total: { readonly bytes: number; readonly at: number } | undefined
  /** Bytes that were stored since the total was measured, and bytes of uploads that are in progress. */
  let addedBytes = 0
  let incomingBytes = 0
  let measuring: Promise<void> | undefined

  const measure = async (): Promise<void> => {
    // What is stored from now on may be counted twice until the next measurement.
    const countedBytes = addedBytes
    let bytes = 0
    for await (const blob of blobs.list("")) bytes += blob.bytes
    addedBytes -= countedBytes
    total = { bytes, at: Date.now() }
  }
  /** Joins the measurement that is in progress, as a long list of blobs takes seconds. */
  const measureOnce = (): Promise<void> => {
    measuring ??= measure().finally(() => {
      measuring = undefined
    })
    return measuring
  }
  const isOverQuota = (): boolean => (total?.bytes ?? 0) + addedBytes + incomingBytes > quotaBytes
  const check = async (): Promise<void> => {
    const free = blobs.kind === "folder" ? await readFreeBytes(blobs.location) : null
    if (free !== null && free < reserveBytes) throw diskAlmostFull(reserveBytes)
    const age_ms = Date.now() - (total?.at ?? Number.NEGATIVE_INFINITY)
    if (total === undefined || (isOverQuota() && age_ms > MIN_MEASUREMENT_INTERVAL_MS)) await measureOnce()
    // The upload does not wait. If the storage does not answer, storing the upload says so.
    else if (age_ms > MEASUREMENT_VALID_MS) measureOnce().catch(() => undefined)
    if (isOverQuota()) throw overQuota(quotaBytes)
  }

  return {
    ...blobs,
    receive: async (source, limits) => {
      const { isCopy = false } = limits
      let bytes = 0
      let uncheckedBytes = CHECK_INTERVAL_BYTES
      async function* checked(): AsyncGenerator<Uint8Array> {
        for await (const chunk of source) {
          bytes += chunk.byteLength
          if (!isCopy) incomingBytes += chunk.byteLength
          uncheckedBytes += chunk.byteLength
          if (uncheckedBytes >= CHECK_INTERVAL_BYTES) {
            uncheckedBytes = 0
            await check()
          }
          yield chunk
        }
        await check()
      }
      const release = () => {
        if (!isCopy) incomingBytes -= bytes
        bytes = 0
      }
      try {
        const incoming = await blobs.receive(checked(), limits)
        return {
          ...incoming,
          keep: async (key) => {
            const isNew = await incoming.keep(key)
            if (isNew && !isCopy) addedBytes += bytes
            release()
            return isNew
          },
          discard: () => {
            release()
            return incoming.discard()
          },
        }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
