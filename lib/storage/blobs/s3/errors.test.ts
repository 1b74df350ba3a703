import { describe, expect, it } from "vitest"
import { AppError } from "../../../domain/errors.ts"
import { isMissing, s3Error } from "./errors.ts"

const failure = (name: string, status?: number, message = "m") =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } })
const meant = (error: unknown) => s3Error(error, "s3://talks/ at s3.example", "talks") as AppError

describe("a failure of the storage", () => {
  for (const [error, code, retry, sentence] of [
    [
      failure("AccessDenied", 403),
      "unavailable",
      "retry",
      /does not allow this \(AccessDenied\): the key needs to get/,
    ],
    [failure("ExpiredToken", 400), "unavailable", "retry", /refuses the credentials/],
    [failure("CredentialsProviderError"), "unavailable", "retry", /No credentials were found .*AWS_PROFILE/],
    [failure("RequestTimeTooSkewed", 403), "unavailable", "retry", /clock of this host/],
    [failure("PermanentRedirect", 301), "unavailable", "retry", /region of the bucket .*AWS_REGION/],
    [failure("Error", undefined, "Region is missing"), "unavailable", "retry", /not given: name it/],
    [failure("QuotaExceeded", 403), "storage_full", "retry", /takes no more/],
    [failure("InvalidArgument", 400, "bad part"), "unavailable", "retry", /answers 400 InvalidArgument: bad part/],
    [failure("SlowDown", 503), "unavailable", "later", /does not answer \(SlowDown\)/],
    [failure("TooManyRequests", 429), "unavailable", "later", /does not answer/],
    [failure("TimeoutError"), "unavailable", "later", /does not answer \(TimeoutError\)/],
  ] as const)
    it(`${error.name} ${error.$metadata.httpStatusCode ?? ""} is ${code}, ${retry}`, () => {
      expect(meant(error)).toMatchObject({ code, retry, message: expect.stringMatching(sentence) })
    })

  it("that has its sentence keeps it", () => {
    const own = new AppError("too_large", "too large")
    expect(meant(own)).toBe(own)
  })

  it("is told apart from an object that is not there", () => {
    expect([failure("NoSuchKey", 404), failure("NotFound", 404), failure("404", 404)].map(isMissing)).toEqual([
      true,
      true,
      true,
    ])
    expect([failure("NoSuchBucket", 404), failure("AccessDenied", 403)].map(isMissing)).toEqual([false, false])
  })
})
