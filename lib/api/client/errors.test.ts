import { describe, expect, it } from "vitest"
import { createUncheckedClient } from "./unchecked.ts"

const failWith = (status: number, body: string) =>
  createUncheckedClient({ baseUrl: "http://127.0.0.1:1", fetch: async () => new Response(body, { status }) })
    .job("x")
    .catch((error: unknown) => error)

describe("the error of a response", () => {
  it("has its sentence, code, invalid parts and request ID", async () => {
    const errors = [{ loc: ["query", "limit"], msg: "must be a number", type: "invalid_type" }]
    const body = { detail: "limit: must be a number", code: "invalid", errors, request_id: "r-1" }
    expect(await failWith(422, JSON.stringify(body))).toMatchObject({
      name: "EarmarkError",
      status: 422,
      message: "limit: must be a number",
      code: "invalid",
      errors,
      requestId: "r-1",
    })
  })
  it.each(["<html>Bad gateway</html>", "null", '{"detail":7}'])(
    "has a generic sentence for the body %s",
    async (body) =>
      expect(await failWith(502, body)).toMatchObject({
        message: "The service answered with status 502 and no error message.",
        code: undefined,
      }),
  )
})
