import type { S3Client } from "@aws-sdk/client-s3"
import type { BlobPlace } from "../../../platform/config/blob-config.ts"
import { toS3Error } from "./errors.ts"

export type S3Location = Extract<BlobPlace, { kind: "s3" }>

export type S3Limits = {
  /** Bytes per part of an upload. An upload holds about `partBytes` × (`concurrency` + 1) in memory. */
  readonly partBytes: number
  /** Bytes per part of a copy inside the storage. */
  readonly copyPartBytes: number
  /** The number of parts transferred concurrently. */
  readonly concurrency: number
  /**
   * The maximum time in milliseconds without data on a connection. From 6 s on, the AWS client starts this timer 3 s late.
   * A call fails after `MAX_ATTEMPTS` attempts.
   */
  readonly idleTimeoutMs: number
}
export const DEFAULT_LIMITS: S3Limits = {
  partBytes: 8 * 2 ** 20,
  copyPartBytes: 256 * 2 ** 20,
  concurrency: 3,
  idleTimeoutMs: 6_000,
}
export const MAX_ATTEMPTS = 3

/** An open bucket: its clients, and what every call needs. */
export type Bucket = {
  readonly client: S3Client
  /** A client with a longer idle timeout, for copies inside the storage and for streams that a worker or player reads slowly. */
  readonly slowClient: S3Client
  readonly sdk: typeof import("@aws-sdk/client-s3")
  readonly bucket: string
  readonly prefix: string
  readonly location: string
  readonly limits: S3Limits
  /** Runs a call and converts its errors to AppErrors. */
  call<T>(work: () => Promise<T>): Promise<T>
}

const CONNECT_TIMEOUT_MS = 5_000
const SLOW_IDLE_TIMEOUT_MS = 60_000
/** A paused player keeps its connection open. */
const MAX_CONNECTIONS = 256

/**
 * Creates the clients of a bucket. Opens no connection yet. Credentials come from the AWS client's chain: environment,
 * ~/.aws, the role of the machine.
 */
export const connect = async (place: S3Location, limits: S3Limits): Promise<Bucket> => {
  // Silences the SDK's warning about Node versions that a future release will not support.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true"
  const sdk = await import("@aws-sdk/client-s3")
  const { bucket, prefix, endpoint, region, pathStyle } = place
  const settings = {
    ...(endpoint && { endpoint }),
    // The client requires a region, which self-hosted servers do not have.
    ...((region ?? (endpoint && !process.env.AWS_REGION)) && { region: region ?? "us-east-1" }),
    forcePathStyle: pathStyle,
    // Many compatible servers do not support checksums in trailers. Blobs are verified by their own hash.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: MAX_ATTEMPTS,
  } as const
  const createClient = (socketTimeout: number) =>
    new sdk.S3Client({
      ...settings,
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout,
        httpAgent: { maxSockets: MAX_CONNECTIONS },
        httpsAgent: { maxSockets: MAX_CONNECTIONS },
      },
    })
  const location = `s3://${bucket}/${prefix} at ${endpoint ? new URL(endpoint).host : "AWS"}`
  return {
    client: createClient(limits.idleTimeoutMs),
    slowClient: createClient(SLOW_IDLE_TIMEOUT_MS),
    sdk,
    bucket,
    prefix,
    location,
    limits,
    call: async (work) => {
      try {
        return await work()
      } catch (error) {
        throw toS3Error(error, location, bucket)
      }
    },
  }
}
