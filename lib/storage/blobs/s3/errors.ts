import { AppError, messageOf } from "../../../domain/errors.ts"

type S3Failure = {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const WRONG_KEY = new Set([
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
const FULL = new Set(["QuotaExceeded", "EntityTooLarge", "InsufficientStorage", "XMinioStorageFull"])
/** Waits for a place that does not answer; a job is not charged for them. */
const LATER_MS = 10_000

export const statusOf = (error: unknown): number | undefined => (error as S3Failure).$metadata?.httpStatusCode

/** Whether a failure says that the object is not there; that its bucket is not is another matter. */
export const isMissing = (error: unknown): boolean => {
  const { name } = error as S3Failure
  return name === "NoSuchKey" || name === "NotFound" || (statusOf(error) === 404 && name !== "NoSuchBucket")
}

/**
 * What a failure of the storage means, with what to do. Never a key or a secret in it.
 * @param place for people, as `BlobStore.place`
 */
export const s3Error = (error: unknown, place: string, bucket: string): unknown => {
  if (AppError.is(error)) return error
  const { name = "", code = "", message = "" } = error as S3Failure
  const status = statusOf(error)
  const say = (text: string, retry: "retry" | "later" = "retry") =>
    new AppError("unavailable", text, { cause: error, retry, ...(retry === "later" && { retryInMs: LATER_MS }) })
  if (name === "NoSuchBucket")
    return say(
      `The bucket '${bucket}' is not there (${place}): make it, for example with  aws s3 mb s3://${bucket}  or correct SERVICE_BLOB_URL`,
    )
  if (name === "CredentialsProviderError" || /credential/i.test(name))
    return say(
      `No credentials were found for ${place}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile of ~/.aws (AWS_PROFILE)`,
    )
  if (WRONG_KEY.has(name))
    return say(
      `${place} refuses the credentials (${name}): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a key that is valid there`,
    )
  if (name === "RequestTimeTooSkewed")
    return say(`The clock of this host differs too much from that of ${place}: set it by NTP`)
  if (WRONG_REGION.has(name) || /region is missing/i.test(message))
    return say(
      `The region of the bucket '${bucket}' is another one, or not given: name it in SERVICE_BLOB_URL (?region=…), or in AWS_REGION`,
    )
  if (FULL.has(name) || status === 507)
    return new AppError("storage_full", `${place} takes no more (${name}): free some space there, then try again`, {
      cause: error,
      retry: "retry",
    })
  if (status === 403)
    return say(
      `${place} does not allow this (${name}): the key needs to get, put, list and delete objects in the bucket '${bucket}' and to abort multipart uploads`,
    )
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429)
    return say(`${place} answers ${status} ${name}: ${message.slice(0, 300)}`)
  const why = code || name || messageOf(error)
  return say(`${place} does not answer (${why}): start it, or correct SERVICE_BLOB_URL`, "later")
}
