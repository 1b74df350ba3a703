import { describe, expect, it } from "vitest"
import * as z from "zod"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { silent } from "#test/fixtures/web.ts"
import { AppError } from "../domain/errors.ts"
import { createMemoryIdempotencyStore } from "../storage/stores/memory/idempotency.ts"
import { setHttpDeps } from "./container.ts"
import { createHandler, type Input, route } from "./route.ts"

const endpoint = {
  method: "POST",
  path: "/things/{id}",
  scope: null,
  summary: "",
  params: z.object({ id: z.string() }),
  body: { name: "Thing", schema: z.object({ name: z.string(), size: z.number().default(1) }), example: {} },
  status: 202,
  response: { name: "Created", schema: z.object({ id: z.string(), runs: z.number() }) },
  location: "/made/{id}",
} as const

/** Returns a function that posts to an endpoint which counts its runs, and creates a thing named by the operation. */
const setup = (run: (input: Input<typeof endpoint>, runs: number) => Promise<void> = async () => undefined) => {
  let runs = 0
  setHttpDeps({
    parseJob: createJobParser(),
    log: silent,
    config: { http: { maxJsonBytes: 1000 } },
    groups: {},
    idempotency: createMemoryIdempotencyStore(),
  } as never)
  const { POST } = route([
    createHandler("create", endpoint, async (_deps, input) => {
      await run(input, ++runs)
      return { id: input.operationId, runs }
    }),
  ])
  type Sent = { key?: string; body?: string; id?: string; tokenId?: string }
  return async ({ key, body = '{"name":"a"}', id = "1", tokenId }: Sent = {}) => {
    const headers = {
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
      ...(tokenId !== undefined && { "x-earmark-token-id": tokenId }),
    }
    const request = new Request(`http://localhost/things/${id}`, { method: "POST", body, headers })
    const response = await POST(request, { params: Promise.resolve({ id }) })
    return {
      status: response.status,
      headers: response.headers,
      json: (await response.json()) as Record<string, unknown>,
    }
  }
}

describe("a request with an idempotency key", () => {
  it("runs once, and later requests receive the same status, body and location", async () => {
    const post = setup()
    const first = await post({ key: "k" })
    expect(first.headers.has("idempotent-replayed")).toBe(false)
    expect(first.headers.get("location")).toBe(`/made/${first.json.id}`)
    const second = await post({ key: "k", body: ' {"size":1, "name":"a"} ' })
    expect(second.headers.get("idempotent-replayed")).toBe("true")
    expect([second.status, second.json, second.headers.get("location")]).toEqual([
      202,
      first.json,
      first.headers.get("location"),
    ])
    expect((await post()).json.runs).toBe(2)
  })
  it("runs once for each token, which gets its own response", async () => {
    const post = setup()
    const sent = [{}, { tokenId: "a" }, { tokenId: "b" }, { tokenId: "a" }]
    const runs: unknown[] = []
    for (const caller of sent) runs.push((await post({ key: "k", ...caller })).json.runs)
    expect(runs).toEqual([1, 2, 3, 2])
  })
  it("reads a key in quotes as the same key", async () => {
    const post = setup()
    const first = await post({ key: "k" })
    expect((await post({ key: '"k"' })).json).toEqual(first.json)
  })
  it.each([
    ["another body", { body: '{"name":"b"}' }],
    ["another path", { id: "2" }],
  ])("is refused with 422 for %s", async (_what, other) => {
    const post = setup()
    await post({ key: "k" })
    expect(await post({ key: "k", ...other })).toMatchObject({ status: 422, json: { code: "idempotency_key_reused" } })
  })
  it("is refused with 409 while the first one runs", async () => {
    let finish: () => void = () => undefined
    let begin: () => void = () => undefined
    const running = new Promise<void>((resolve) => {
      begin = resolve
    })
    const post = setup(() => {
      begin()
      return new Promise((resolve) => {
        finish = resolve
      })
    })
    const first = post({ key: "k" })
    await running
    const second = await post({ key: "k" })
    expect(second).toMatchObject({ status: 409, json: { code: "idempotency_key_in_use" } })
    expect(second.headers.get("retry-after")).toBe("1")
    finish()
    expect((await post({ key: "k" })).json).toEqual((await first).json)
  })
  it.each([
    ["an error of the caller", new AppError("conflict", "not now"), 409],
    ["an error of the service", new Error("broken"), 500],
  ])("frees the key after %s, and repeats the same operation", async (_what, error, status) => {
    const operations: string[] = []
    const post = setup(async ({ operationId }, runs) => {
      operations.push(operationId)
      if (runs === 1) throw error
    })
    expect((await post({ key: "k" })).status).toBe(status)
    expect((await post({ key: "k" })).status).toBe(202)
    expect(operations[0]).toBe(operations[1])
  })
  it("may be invalid, and the key is free for a corrected one", async () => {
    const post = setup()
    expect((await post({ key: "k", body: "{}" })).status).toBe(422)
    expect((await post({ key: "k" })).status).toBe(202)
  })
  it.each(["", "x".repeat(256), "schlüssel"])("is refused with 422 if the key is '%s'", async (key) =>
    expect(await setup()({ key })).toMatchObject({
      status: 422,
      json: { code: "invalid", errors: [{ loc: ["header", "idempotency-key"] }] },
    }),
  )
  it("may have a key of 255 characters", async () => expect((await setup()({ key: "x".repeat(255) })).status).toBe(202))
})
