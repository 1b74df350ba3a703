import { createTempName, isOrphaned } from "../../../platform/files/temp-files.ts"
import { HEAD_BYTES, noBlob } from "../bytes.ts"
import type { BlobInfo, BlobStore } from "../types.ts"
import { type Bucket, connect, LIMITS, type S3Limits, type S3Place } from "./client.ts"
import { isMissing, statusOf } from "./errors.ts"
import { fetchInto } from "./fetch.ts"
import { signLink } from "./link.ts"
import { getRange, readRange } from "./read.ts"
import { INCOMING, receiveInto } from "./receive.ts"

/** Whoever looks every second is not to write every second: between two writes it is asked whether the bucket is there. */
const WELL_MS = 15_000

const timeOf = (date: Date | undefined): number => date?.getTime() ?? 0

/** Objects whose keys begin so, a page at a time. */
async function* objectsOf({ client, sdk, bucket, prefix, ask }: Bucket, begin: string): AsyncGenerator<BlobInfo> {
  let ContinuationToken: string | undefined
  do {
    const wanted = { Bucket: bucket, Prefix: prefix + begin, ...(ContinuationToken && { ContinuationToken }) }
    const page = await ask(() => client.send(new sdk.ListObjectsV2Command(wanted)))
    for (const { Key = "", Size = 0, LastModified } of page.Contents ?? [])
      yield { key: Key.slice(prefix.length), bytes: Size, modifiedAt: timeOf(LastModified) }
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (ContinuationToken)
}

/** Multipart uploads under way of processes that are gone. A storage that does not list them is left to its own rules. */
const abortLeft = async ({ client, sdk, bucket, prefix }: Bucket): Promise<number> => {
  const at = { Bucket: bucket, Prefix: `${prefix}${INCOMING}` }
  const found = await client.send(new sdk.ListMultipartUploadsCommand(at)).catch(() => null)
  let aborted = 0
  for (const { Key = "", UploadId, Initiated } of found?.Uploads ?? []) {
    if (!isOrphaned(Key.slice(at.Prefix.length), timeOf(Initiated))) continue
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
    aborted++
  }
  return aborted
}

/** Blobs as objects of a bucket. Connects when it is first asked for something. */
export const openS3 = async (where: S3Place, limits: Partial<S3Limits> = {}): Promise<BlobStore> => {
  const b = await connect(where, { ...LIMITS, ...limits })
  const { client, sdk, bucket, prefix, place, ask } = b
  let wellUntil = 0
  const base = `s3://${bucket}/${prefix}`

  const stat = async (key: string): Promise<BlobInfo | null> =>
    ask(async () => {
      const found = await client
        .send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: prefix + key }))
        .catch((error) => {
          if (isMissing(error)) return null
          throw error
        })
      return found && { key, bytes: found.ContentLength ?? 0, modifiedAt: timeOf(found.LastModified) }
    })
  const drop = (Key: string) => ask(() => client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key })))

  const open: BlobStore["open"] = (key) =>
    ask(async () => {
      const first = await getRange(b, { key, start: 0, end: HEAD_BYTES - 1 }).catch((error: unknown) => {
        // Of an empty object there is no range.
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
    place,
    addressOf: (key) => base + key,
    keyOf: (address) => (address.startsWith(base) && address.length > base.length ? address.slice(base.length) : null),
    receive: (source, given) => receiveInto(b, source, given),
    stat,
    open,
    file: async (key, into) => {
      const info = await stat(key)
      if (info === null) {
        // Asked by HEAD, an object and its bucket are missing in the same words.
        await ask(() => client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 })))
        throw noBlob(base + key)
      }
      return fetchInto(b, info, into)
    },
    link: (key, type) => signLink(b, key, type),
    remove: async (key) => {
      await drop(prefix + key)
    },
    list: (begin) => keysOnly(objectsOf(b, begin)),
    check: async (signal) => {
      const look = new sdk.HeadBucketCommand({ Bucket: bucket })
      const isThere = () =>
        client.send(look, { abortSignal: signal }).then(
          () => true,
          () => false,
        )
      if (Date.now() < wellUntil && (await isThere())) return place
      const Key = `${prefix}${INCOMING}${createTempName().slice(1)}`
      await ask(() =>
        client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key, Body: "check" }), { abortSignal: signal }),
      )
      await drop(Key)
      wellUntil = Date.now() + WELL_MS
      return place
    },
    sweep: async () => {
      let swept = 0
      for await (const { key, modifiedAt } of objectsOf(b, INCOMING)) {
        if (!isOrphaned(key.slice(INCOMING.length), modifiedAt)) continue
        await drop(prefix + key)
        swept++
      }
      return swept + (await ask(() => abortLeft(b)))
    },
    close: () => {
      client.destroy()
      b.patient.destroy()
    },
  }
}

async function* keysOnly(objects: AsyncIterable<BlobInfo>): AsyncGenerator<BlobInfo> {
  for await (const info of objects) if (!info.key.startsWith(INCOMING)) yield info
}
