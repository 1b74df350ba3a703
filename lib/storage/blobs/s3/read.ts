import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3"
import { AppError } from "../../../domain/errors.ts"
import type { Bucket } from "./client.ts"
import { isMissing, s3Error } from "./errors.ts"

/** Connections that break one after the other without a byte between them are given up at so many. */
const TRIES = 4
const AGAIN_MS = 200

export type Wanted = {
  readonly key: string
  readonly start: number
  readonly end: number
  readonly etag?: string | undefined
}

/** Asks for a stretch of an object; null where there is no such object. */
export const getRange = async (
  { client, sdk, bucket, prefix }: Pick<Bucket, "client" | "sdk" | "bucket" | "prefix">,
  { key, start, end, etag }: Wanted,
  signal?: AbortSignal,
): Promise<GetObjectCommandOutput | null> => {
  const Range = `bytes=${start}-${end}`
  const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: prefix + key, Range, ...(etag && { IfMatch: etag }) })
  return client.send(command, signal ? { abortSignal: signal } : {}).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
}

/** Whether a failure is one of the connection, and the rest may be had by another one. */
const isBroken = (error: unknown): boolean => {
  const named = s3Error(error, "", "")
  return AppError.is(named) && named.retry === "later"
}

async function* chunksOf(b: Bucket, wanted: Wanted, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  let at = wanted.start
  let tries = 0
  while (at <= wanted.end) {
    const before = at
    try {
      const answer = await getRange({ ...b, client: b.patient }, { ...wanted, start: at }, signal)
      if (answer === null) throw new AppError("not_found", `no such file: s3://${b.bucket}/${b.prefix}${wanted.key}`)
      for await (const chunk of answer.Body as unknown as AsyncIterable<Uint8Array>) {
        at += chunk.byteLength
        yield chunk
      }
      if (at <= wanted.end) throw Object.assign(new Error("cut off"), { code: "ECONNRESET" })
    } catch (error) {
      signal?.throwIfAborted()
      tries = at > before ? 1 : tries + 1
      if (!isBroken(error) || tries >= TRIES) throw s3Error(error, b.place, b.bucket)
      await sleep(AGAIN_MS * 2 ** tries, undefined, signal ? { signal } : {})
    }
  }
}

/** A stretch of an object as a stream. A connection that breaks in the middle is followed by one for the rest. */
export const readRange = (b: Bucket, wanted: Wanted, signal?: AbortSignal): Readable =>
  Readable.from(chunksOf(b, wanted, signal), { objectMode: false })
