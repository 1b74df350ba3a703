import { createTempName, isOrphaned } from "../../../platform/files/temp-files.ts"
import { blobNotFound, HEAD_BYTES } from "../bytes.ts"
import type { BlobInfo, BlobStore } from "../types.ts"
import { type Bucket, connect, DEFAULT_LIMITS, type S3Limits, type S3Location } from "./client.ts"
import { downloadBlob, getRange, readRange } from "./download.ts"
import { isMissing, statusOf } from "./errors.ts"
import { INCOMING_PREFIX, receiveBlob } from "./receive.ts"

/** The minimum time between two test writes of `check`. In between it only asks whether the bucket exists. */
const WRITE_CHECK_INTERVAL_MS = 15_000

const timeOf = (date: Date | undefined): number => date?.getTime() ?? 0

/** The validity of a signed URL in seconds. A page may stay open and play for this long. */
const LINK_VALIDITY_S = 6 * 3600

/** Lists objects by key prefix. */
async function* listObjects(
  { client, sdk, bucket, prefix, call }: Bucket,
  keyPrefix: string,
): AsyncGenerator<BlobInfo> {
  let ContinuationToken: string | undefined
  do {
    const params = { Bucket: bucket, Prefix: prefix + keyPrefix, ...(ContinuationToken && { ContinuationToken }) }
    const page = await call(() => client.send(new sdk.ListObjectsV2Command(params)))
    for (const { Key = "", Size = 0, LastModified } of page.Contents ?? [])
      yield { key: Key.slice(prefix.length), bytes: Size, modifiedAt: timeOf(LastModified) }
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (ContinuationToken)
}

/** Aborts multipart uploads of dead processes. Ignores a storage that cannot list them. Returns their number. */
const abortOrphanedUploads = async ({ client, sdk, bucket, prefix }: Bucket): Promise<number> => {
  const params = { Bucket: bucket, Prefix: `${prefix}${INCOMING_PREFIX}` }
  const found = await client.send(new sdk.ListMultipartUploadsCommand(params)).catch(() => null)
  let aborted = 0
  for (const { Key = "", UploadId, Initiated } of found?.Uploads ?? []) {
    if (!isOrphaned(Key.slice(params.Prefix.length), timeOf(Initiated))) continue
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
    aborted++
  }
  return aborted
}

/** Opens a blob store in a bucket. Connects on first use. */
export const openS3 = async (s3: S3Location, limits: Partial<S3Limits> = {}): Promise<BlobStore> => {
  const b = await connect(s3, { ...DEFAULT_LIMITS, ...limits })
  const { client, sdk, bucket, prefix, location, call } = b
  let skipWriteUntil = 0
  const base = `s3://${bucket}/${prefix}`

  const stat = async (key: string): Promise<BlobInfo | null> =>
    call(async () => {
      const found = await client
        .send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: prefix + key }))
        .catch((error) => {
          if (isMissing(error)) return null
          throw error
        })
      return found && { key, bytes: found.ContentLength ?? 0, modifiedAt: timeOf(found.LastModified) }
    })
  const deleteObject = (Key: string) => call(() => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key })))

  const open: BlobStore["open"] = (key) =>
    call(async () => {
      const first = await getRange(b, { key, start: 0, end: HEAD_BYTES - 1 }).catch((error: unknown) => {
        // An empty object has no ranges.
        if (statusOf(error) === 416) return "empty" as const
        throw error
      })
      if (first === null) return null
      if (first === "empty") {
        const info = await stat(key)
        if (!info) return null
        return {
          ...info,
          head: new Uint8Array(),
          read: ({ start, end }) => readRange(b, { key, start, end }),
          close: async () => {},
        }
      }
      const head = (await first.Body?.transformToByteArray()) ?? new Uint8Array()
      return {
        bytes: Number(/\/(\d+)$/.exec(first.ContentRange ?? "")?.[1] ?? head.length),
        modifiedAt: timeOf(first.LastModified),
        head,
        read: ({ start, end }) => readRange(b, { key, start, end, etag: first.ETag }),
        close: async () => {},
      }
    })

  return {
    kind: "s3",
    location,
    addressOf: (key) => base + key,
    keyOf: (address) => (address.startsWith(base) && address.length > base.length ? address.slice(base.length) : null),
    receive: (source, options) => receiveBlob(b, source, options),
    stat,
    open,
    file: async (key, into) => {
      const info = await stat(key)
      if (info === null) {
        // HEAD does not distinguish a missing bucket from a missing object. This call throws if the bucket is missing.
        await call(() => client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 })))
        throw blobNotFound(base + key)
      }
      return downloadBlob(b, info, into)
    },
    link: async (key, type) => {
      const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner")
      const get = new sdk.GetObjectCommand({ Bucket: bucket, Key: prefix + key, ResponseContentType: type })
      return call(() => getSignedUrl(client, get, { expiresIn: LINK_VALIDITY_S }))
    },
    remove: async (key) => {
      await deleteObject(prefix + key)
    },
    list: (keyPrefix) => skipIncoming(listObjects(b, keyPrefix)),
    check: async (signal) => {
      const head = new sdk.HeadBucketCommand({ Bucket: bucket })
      const isReachable = () =>
        client.send(head, { abortSignal: signal }).then(
          () => true,
          () => false,
        )
      if (Date.now() < skipWriteUntil && (await isReachable())) return location
      const Key = `${prefix}${INCOMING_PREFIX}${createTempName().slice(1)}`
      await call(() =>
        client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key, Body: "check" }), { abortSignal: signal }),
      )
      await deleteObject(Key)
      skipWriteUntil = Date.now() + WRITE_CHECK_INTERVAL_MS
      return location
    },
    sweep: async () => {
      let swept = 0
      for await (const { key, modifiedAt } of listObjects(b, INCOMING_PREFIX)) {
        if (!isOrphaned(key.slice(INCOMING_PREFIX.length), modifiedAt)) continue
        await deleteObject(prefix + key)
        swept++
      }
      return swept + (await call(() => abortOrphanedUploads(b)))
    },
    close: () => {
      client.destroy()
      b.slowClient.destroy()
    },
  }
}

async function* skipIncoming(objects: AsyncIterable<BlobInfo>): AsyncGenerator<BlobInfo> {
  for await (const info of objects) if (!info.key.startsWith(INCOMING_PREFIX)) yield info
}
