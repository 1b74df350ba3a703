import type { S3Client } from "@aws-sdk/client-s3"
import type { BlobPlace } from "../../../platform/config/blob-config.ts"
import { s3Error } from "./errors.ts"

export type S3Place = Extract<BlobPlace, { kind: "s3" }>

export type S3Limits = {
  /** Bytes of a part, of a copied part, and parts in hand at once. An upload holds some `part` × (`atOnce` + 1) in memory. */
  readonly part: number
  readonly copyPart: number
  readonly atOnce: number
  /**
   * Longest silence of a connection on which somebody waits, in milliseconds; from 6 s on the client begins to count 3 s
   * late. A call is made `CALLS` times before it fails.
   */
  readonly silence: number
}
export const LIMITS: S3Limits = { part: 8 * 2 ** 20, copyPart: 256 * 2 ** 20, atOnce: 3, silence: 6_000 }
export const CALLS = 3

/** A bucket that has been opened: its client, and what every call needs. */
export type Bucket = {
  readonly client: S3Client
  /** For what takes long and says nothing meanwhile: copies inside the storage, and bytes that a worker or a player reads on. */
  readonly patient: S3Client
  readonly sdk: typeof import("@aws-sdk/client-s3")
  readonly bucket: string
  readonly prefix: string
  readonly place: string
  readonly limits: S3Limits
  /** Runs a call; what fails becomes a sentence. */
  ask<T>(call: () => Promise<T>): Promise<T>
}

const CONNECT_MS = 5_000
/** Longest silence of a connection of the patient client. */
const SILENT_MS = 60_000
/** A player that pauses keeps its connection. */
const CONNECTIONS = 256

/** Opens no connection yet. Credentials come from the client's own chain: environment, ~/.aws, the machine's role. */
export const connect = async (place: S3Place, limits: S3Limits): Promise<Bucket> => {
  // It speaks of releases that are not the ones of our lock, on every start.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true"
  const sdk = await import("@aws-sdk/client-s3")
  const { bucket, prefix, endpoint, region, pathStyle } = place
  const settings = {
    ...(endpoint && { endpoint }),
    // A server of one's own has no region; the client wants one all the same.
    ...((region ?? (endpoint && !process.env.AWS_REGION)) && { region: region ?? "us-east-1" }),
    forcePathStyle: pathStyle,
    // Checksums in trailers are more than many compatible servers understand; blobs are known by their own hash.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: CALLS,
  } as const
  const silentFor = (socketTimeout: number) =>
    new sdk.S3Client({
      ...settings,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        socketTimeout,
        httpAgent: { maxSockets: CONNECTIONS },
        httpsAgent: { maxSockets: CONNECTIONS },
      },
    })
  const name = `s3://${bucket}/${prefix} at ${endpoint ? new URL(endpoint).host : "AWS"}`
  return {
    client: silentFor(limits.silence),
    patient: silentFor(SILENT_MS),
    sdk,
    bucket,
    prefix,
    place: name,
    limits,
    ask: async (call) => {
      try {
        return await call()
      } catch (error) {
        throw s3Error(error, name, bucket)
      }
    },
  }
}
