import { describe, expect, it } from "vitest"
import { AppError } from "../../../domain/errors.ts"
import { isMissing, toS3Error } from "./errors.ts"

const failure = (name: string, status?: number, message = "m") =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } })
const convert = (error: unknown) => toS3Error(error, "s3://talks/ at s3.example", "talks") as AppError

describe("toS3Error", () => {
  for (const [error, code, retry, pattern] of [
    [failure("AccessDenied", 403), "unavailable", "retry", /denied permission \(AccessDenied\)\. Allow the key to get/],
    [failure("ExpiredToken", 400), "unavailable", "retry", /rejected the credentials/],
    [failure("CredentialsProviderError"), "unavailable", "retry", /No credentials were found .*AWS_PROFILE/],
    [failure("RequestTimeTooSkewed", 403), "unavailable", "retry", /clock of this host/],
    [failure("PermanentRedirect", 301), "unavailable", "retry", /region of the bucket .*AWS_REGION/],
    [failure("Error", undefined, "Region is missing"), "unavailable", "retry", /wrong or missing\. Set it/],
    [failure("QuotaExceeded", 403), "storage_full", "retry", /is full/],
    [
      failure("InvalidArgument", 400, "bad part"),
      "unavailable",
      "retry",
      /returned HTTP 400 InvalidArgument: bad part/,
    ],
    [failure("SlowDown", 503), "unavailable", "later", /does not answer \(SlowDown\)/],
    [failure("TooManyRequests", 429), "unavailable", "later", /does not answer/],
    [failure("TimeoutError"), "unavailable", "later", /does not answer \(TimeoutError\)/],
  ] as const)
    it(`converts ${error.name} ${error.$metadata.httpStatusCode ?? ""} to ${code}, ${retry}`, () => {
      expect(convert(error)).toMatchObject({ code, retry, message: expect.stringMatching(pattern) })
    })

  it("returns an AppError unchanged", () => {
    const own = new AppError("too_large", "too large")
    expect(convert(own)).toBe(own)
  })

  it("does not treat a missing bucket as a missing object", () => {
    expect([failure("NoSuchKey", 404), failure("NotFound", 404), failure("404", 404)].map(isMissing)).toEqual([
      true,
      true,
      true,
    ])
    expect([failure("NoSuchBucket", 404), failure("AccessDenied", 403)].map(isMissing)).toEqual([false, false])
  })
})
