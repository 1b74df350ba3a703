import { describe, expect, it, vi } from "vitest"
import { AppError, INTERNAL_ERROR } from "../../domain/errors.ts"
import { codeOfStatus, errorBody, toErrorResponse } from "./error-response.ts"

const respond = (error: unknown) => {
  const log = { warn: vi.fn(), error: vi.fn(), debug: vi.fn() }
  const response = toErrorResponse(error, { log: log as never, where: "GET /x", requestId: "r-1" })
  const levels = (["warn", "error", "debug"] as const).filter((level) => log[level].mock.calls.length > 0)
  return { ...response, body: JSON.parse(response.body) as Record<string, unknown>, levels, log }
}

describe("the response to an error", () => {
  it.each([
    ["of the caller", new AppError("conflict", "job 'x' is done"), 409, "debug"],
    ["of the surroundings", new AppError("unavailable", "no store"), 503, "warn"],
    ["that is an internal one", new AppError("internal", "a secret"), 500, "error"],
    ["of the program", new TypeError("a secret"), 500, "error"],
    ["that is no Error", "a secret", 500, "error"],
  ])("%s is logged by its severity and shows no secret", (_what, error, status, level) => {
    const { status: sent, body, levels, log } = respond(error)
    expect([sent, levels, body.request_id]).toEqual([status, [level], "r-1"])
    expect(log[level as "warn"].mock.calls[0]![0]).toMatchObject({ where: "GET /x", request_id: "r-1" })
    if (status === 500) expect(body).toEqual({ detail: INTERNAL_ERROR, code: "internal", request_id: "r-1" })
    else expect(body).toEqual({ detail: (error as Error).message, code: (error as AppError).code, request_id: "r-1" })
  })

  it.each([
    [undefined, undefined],
    [0, "1"],
    [1, "1"],
    [1000, "1"],
    [1001, "2"],
    [90_000, "90"],
  ])("that can be tried again in %s ms has Retry-After: %s", (retryInMs, expected) => {
    const options = retryInMs === undefined ? {} : { retryInMs }
    expect(respond(new AppError("unavailable", "busy", options)).headers["retry-after"]).toBe(expected)
  })

  it("says which authentication is missing", () => {
    const challengeOf = (...args: ConstructorParameters<typeof AppError>) =>
      respond(new AppError(...args)).headers["www-authenticate"]
    expect(challengeOf("unauthorized", "no token")).toBe("Bearer")
    expect(challengeOf("unauthorized", "old", { challenge: 'error="invalid_token"' })).toBe(
      'Bearer error="invalid_token"',
    )
    expect(challengeOf("insufficient_scope", "no", { challenge: 'scope="write"' })).toBe('Bearer scope="write"')
    expect(challengeOf("forbidden", "no")).toBeUndefined()
  })

  it("has the fields of the error, and the ETag also as a header", () => {
    const errors = [{ loc: ["body", "a"], msg: "wrong", type: "x" }]
    const { headers, body } = respond(
      new AppError("precondition_failed", "changed", { errors, fields: { etag: '"b"', more: 1 } }),
    )
    expect([headers.etag, headers["cache-control"], headers["content-type"]]).toEqual([
      '"b"',
      "no-store",
      "application/json",
    ])
    expect(body).toMatchObject({ errors, etag: '"b"', more: 1 })
    expect(respond(new AppError("conflict", "no", { fields: { etag: 7 } })).headers).not.toHaveProperty("etag")
  })

  it("has an ID only if the request has one", () => {
    expect(JSON.parse(errorBody({ detail: "a", code: "invalid", requestId: null }))).toEqual({
      detail: "a",
      code: "invalid",
    })
  })
})

it.each([
  [404, "not_found"],
  [400, "bad_request"],
  [418, "bad_request"],
  [499, "bad_request"],
  [500, "internal"],
  [599, "internal"],
])("the code of an error with only the status %i is %s", (status, code) => {
  expect(codeOfStatus(status)).toBe(code)
})
