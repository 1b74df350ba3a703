import { Readable } from "node:stream"
import { createTempName } from "../../../platform/files/temp-files.ts"
import { countAndHash } from "../bytes.ts"
import type { BlobStore, IncomingBlob } from "../types.ts"
import type { Bucket } from "./client.ts"
import { isMissing } from "./errors.ts"

/** Where bytes lie until they have their key. */
export const INCOMING = "incoming/"
/** S3 takes no more parts of one object. */
const MAX_PARTS = 10_000

/** As the client wants the source of a copy: encoded, but for its slashes. */
const copySource = (bucket: string, key: string): string =>
  `${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`

/** Copies inside the storage, in parts where that is larger than one request should be: nothing of it passes through here. */
const copy = async (
  { patient: client, sdk, bucket, limits }: Bucket,
  from: string,
  to: string,
  bytes: number,
): Promise<void> => {
  const CopySource = copySource(bucket, from)
  const at = { Bucket: bucket, Key: to }
  if (bytes <= limits.copyPart) {
    await client.send(new sdk.CopyObjectCommand({ ...at, CopySource }))
    return
  }
  const size = Math.max(limits.copyPart, Math.ceil(bytes / MAX_PARTS))
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(at))
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    const total = Math.ceil(bytes / size)
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < total) {
        const i = next++
        const CopySourceRange = `bytes=${i * size}-${Math.min((i + 1) * size, bytes) - 1}`
        const part = { ...at, UploadId, PartNumber: i + 1, CopySource, CopySourceRange }
        const { CopyPartResult } = await client.send(new sdk.UploadPartCopyCommand(part))
        Parts[i] = { PartNumber: i + 1, ETag: CopyPartResult?.ETag }
      }
    }
    await Promise.all(Array.from({ length: limits.atOnce }, lane))
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => undefined)
    throw error
  }
}

/** For how long somebody whose upload failed waits until its parts are gone, too; what stays is swept. */
const LEAVE_MS = 3_000

const leave = async ({ client, sdk, bucket }: Bucket, Key: string, UploadId: string | undefined): Promise<void> => {
  if (UploadId === undefined) return
  const abort = new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })
  await client.send(abort, { abortSignal: AbortSignal.timeout(LEAVE_MS) }).catch(() => undefined)
}

/**
 * Sends bytes on as they come, in parts; only what is whole becomes an object, first under a name of this process, then,
 * copied by the storage itself, under its key.
 */
export const receiveInto = async (
  b: Bucket,
  source: AsyncIterable<Uint8Array>,
  { maxBytes }: Parameters<BlobStore["receive"]>[1],
): Promise<IncomingBlob> => {
  const { Upload } = await import("@aws-sdk/lib-storage")
  const { client, sdk, bucket, prefix, limits } = b
  const temp = `${prefix}${INCOMING}${createTempName().slice(1)}`
  const { chunks, bytes, sha256, cause } = countAndHash(source, maxBytes)
  const partSize = Math.max(limits.part, Math.ceil(maxBytes / MAX_PARTS))
  const params = { Bucket: bucket, Key: temp, Body: Readable.from(chunks, { highWaterMark: 1 }) }
  // It would wait for the answer to its abort as long as for any other.
  const upload = new Upload({ client, params, partSize, queueSize: limits.atOnce, leavePartsOnError: true })
  try {
    await b.ask(() => upload.done())
  } catch (error) {
    await leave(b, temp, upload.uploadId)
    throw cause(error)
  }
  const discard = () =>
    b.ask(() => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: temp }))).then(() => {})
  const isThere = async (Key: string): Promise<boolean> => {
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
      await b.ask(async () => {
        if (!(await isThere(prefix + key))) await copy(b, temp, prefix + key, bytes())
      })
      // It is kept; a name that stays behind is swept.
      await discard().catch(() => undefined)
    },
    discard: () => discard().catch(() => undefined),
  }
}
