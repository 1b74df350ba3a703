import { Readable } from "node:stream"
import { createTempName } from "../../../platform/files/temp-files.ts"
import { countAndHash } from "../bytes.ts"
import type { BlobStore, IncomingBlob } from "../types.ts"
import type { Bucket } from "./client.ts"
import { isMissing } from "./errors.ts"

/** The key prefix of unfinished uploads. */
export const INCOMING_PREFIX = "incoming/"
/** S3's limit of parts per object. */
const MAX_PARTS = 10_000

/** Returns the CopySource parameter: percent-encoded except for slashes. */
const copySource = (bucket: string, key: string): string =>
  `${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`

/** Copies an object inside the storage, in several parts if it is large. The data does not pass through this process. */
const copyObject = async (
  { slowClient: client, sdk, bucket, limits }: Bucket,
  from: string,
  to: string,
  bytes: number,
): Promise<void> => {
  const CopySource = copySource(bucket, from)
  const target = { Bucket: bucket, Key: to }
  if (bytes <= limits.copyPartBytes) {
    await client.send(new sdk.CopyObjectCommand({ ...target, CopySource }))
    return
  }
  const partSize = Math.max(limits.copyPartBytes, Math.ceil(bytes / MAX_PARTS))
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(target))
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    const total = Math.ceil(bytes / partSize)
    let next = 0
    const copyParts = async (): Promise<void> => {
      while (next < total) {
        const i = next++
        const CopySourceRange = `bytes=${i * partSize}-${Math.min((i + 1) * partSize, bytes) - 1}`
        const part = { ...target, UploadId, PartNumber: i + 1, CopySource, CopySourceRange }
        const { CopyPartResult } = await client.send(new sdk.UploadPartCopyCommand(part))
        Parts[i] = { PartNumber: i + 1, ETag: CopyPartResult?.ETag }
      }
    }
    await Promise.all(Array.from({ length: limits.concurrency }, copyParts))
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined)
    throw error
  }
}

/** Limits how long a failed upload waits for the deletion of its parts. `sweep` removes the rest. */
const ABORT_TIMEOUT_MS = 3_000

const abortUpload = async (
  { client, sdk, bucket }: Bucket,
  Key: string,
  UploadId: string | undefined,
): Promise<void> => {
  if (UploadId === undefined) return
  const abort = new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })
  await client.send(abort, { abortSignal: AbortSignal.timeout(ABORT_TIMEOUT_MS) }).catch(() => undefined)
}

/**
 * Uploads a stream in parts under a temporary key. `keep` then lets the storage copy the complete object to its key.
 */
export const receiveBlob = async (
  b: Bucket,
  source: AsyncIterable<Uint8Array>,
  { maxBytes }: Parameters<BlobStore["receive"]>[1],
): Promise<IncomingBlob> => {
  const { Upload } = await import("@aws-sdk/lib-storage")
  const { client, sdk, bucket, prefix, limits } = b
  const temp = `${prefix}${INCOMING_PREFIX}${createTempName().slice(1)}`
  const { chunks, bytes, sha256, cause } = countAndHash(source, maxBytes)
  const partSize = Math.max(limits.partBytes, Math.ceil(maxBytes / MAX_PARTS))
  const params = { Bucket: bucket, Key: temp, Body: Readable.from(chunks, { highWaterMark: 1 }) }
  // The upload would wait for the response to its own abort. `abortUpload` does not.
  const upload = new Upload({ client, params, partSize, queueSize: limits.concurrency, leavePartsOnError: true })
  try {
    await b.call(() => upload.done())
  } catch (error) {
    await abortUpload(b, temp, upload.uploadId)
    throw cause(error)
  }
  const discard = () =>
    b.call(() => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: temp }))).then(() => {})
  const exists = async (Key: string): Promise<boolean> => {
    const found = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key })).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
    return found !== null
  }
  return {
    sha256: sha256(),
    bytes: bytes(),
    keep: async (key) => {
      const isNew = await b.call(async () => {
        if (await exists(prefix + key)) return false
        await copyObject(b, temp, prefix + key, bytes())
        return true
      })
      // The blob is stored. `sweep` removes the temporary object if this fails.
      await discard().catch(() => undefined)
      return isNew
    },
    discard: () => discard().catch(() => undefined),
  }
}
