import { AppError, messageOf } from "../../../domain/errors.ts"

type S3Failure = {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const INVALID_CREDENTIALS = new Set([
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "InvalidToken",
  "ExpiredToken",
  "TokenRefreshRequired",
])
const WRONG_REGION = new Set([
  "AuthorizationHeaderMalformed",
  "PermanentRedirect",
  "IllegalLocationConstraintException",
])
const STORAGE_FULL = new Set(["QuotaExceeded", "EntityTooLarge", "InsufficientStorage", "XMinioStorageFull"])
/** The retry delay for a storage that does not answer. These retries do not use an attempt of the job. */
const RETRY_LATER_MS = 10_000

export const statusOf = (error: unknown): number | undefined => (error as S3Failure).$metadata?.httpStatusCode

/** Returns true if the object does not exist. Returns false if its bucket does not exist. */
export const isMissing = (error: unknown): boolean => {
  const { name } = error as S3Failure
  return name === "NoSuchKey" || name === "NotFound" || (statusOf(error) === 404 && name !== "NoSuchBucket")
}

/**
 * Converts an error of the S3 client to an AppError. Messages contain no keys or secrets.
 * @param location as in `BlobStore.location`
 */
export const toS3Error = (error: unknown, location: string, bucket: string): unknown => {
  if (AppError.is(error)) return error
  const { name = "", code = "", message = "" } = error as S3Failure
  const status = statusOf(error)
  const unavailable = (message: string, retry: "retry" | "later" = "retry") =>
    new AppError("unavailable", message, {
      cause: error,
      retry,
      ...(retry === "later" && { retryInMs: RETRY_LATER_MS }),
    })
  if (name === "NoSuchBucket")
    return unavailable(
      `The bucket '${bucket}' does not exist (${location}). Create it, for example with \`aws s3 mb s3://${bucket}\`, or correct SERVICE_BLOB_URL.`,
    )
  if (name === "CredentialsProviderError" || /credential/i.test(name))
    return unavailable(
      `No credentials were found for ${location}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile in ~/.aws.`,
    )
  if (INVALID_CREDENTIALS.has(name))
    return unavailable(
      `${location} rejected the credentials (${name}). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a valid key.`,
    )
  if (name === "RequestTimeTooSkewed")
    return unavailable(`The clock of this host differs too much from that of ${location}. Synchronize it with NTP.`)
  if (WRONG_REGION.has(name) || /region is missing/i.test(message))
    return unavailable(
      `The region of the bucket '${bucket}' is wrong or missing. Set it in SERVICE_BLOB_URL (?region=…) or AWS_REGION.`,
    )
  if (STORAGE_FULL.has(name) || status === 507)
    return new AppError("storage_full", `${location} is full (${name}). Free some space there, then try again.`, {
      cause: error,
      retry: "retry",
    })
  if (status === 403)
    return unavailable(
      `${location} denied permission (${name}). Allow the key to get, put, list and delete objects in the bucket '${bucket}' and to abort multipart uploads.`,
    )
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429)
    return unavailable(`${location} returned HTTP ${status} ${name}: ${message.slice(0, 300)}`)
  const reason = code || name || messageOf(error)
  return unavailable(`${location} does not answer (${reason}). Start it, or correct SERVICE_BLOB_URL.`, "later")
}
