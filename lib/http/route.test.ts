import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { z } from "zod"
import { silent, tempConfig } from "#test/fixtures/web.ts"
import { AppError } from "../domain/errors.ts"
import { openNode } from "../services/installation/open-node.ts"
import { setHttpDeps } from "./container.ts"
import { METHODS } from "./responses/error-response.ts"
import { endpoint, route } from "./route.ts"

const { config, remove } = tempConfig({ SERVICE_DISABLE_EXTRAS: "broker" })
let node: Awaited<ReturnType<typeof openNode>>

beforeAll(async () => {
  node = await openNode(config, silent)
  const viz = { compose: () => Promise.reject(), refit: () => Promise.reject(), close: async () => undefined }
  setHttpDeps({ ...node, viz, root: "/", stopping: new AbortController().signal })
})
afterAll(async () => {
  await node.close()
  remove()
})

const context = (params: Record<string, string> = {}) => ({ params: Promise.resolve(params) })
const at = (path: string, init?: RequestInit) => new Request(`http://localhost${path}`, init)
const posting = (body: BodyInit, type = "application/json") =>
  at("/things", { method: "POST", body, headers: { "content-type": type } })
const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail

const echo = route({
  GET: endpoint({
    query: z.object({ limit: z.coerce.number().int().min(1).default(5) }),
    response: z.object({ limit: z.number() }),
    run: async (_deps, { query }) => ({ ...query, secret: "not in the contract" }),
  }),
  POST: endpoint({
    body: z.object({ name: z.string().min(1), inner: z.object({ list: z.array(z.number()) }).optional() }),
    response: z.object({ name: z.string() }),
    status: 201,
    run: async (_deps, { body }) => body,
  }),
})

describe("what comes in", () => {
  it("is parsed by the contract, with its defaults", async () => {
    expect(await (await echo.GET(at("/things"), context())).json()).toEqual({ limit: 5 })
    expect(await (await echo.GET(at("/things?limit=7"), context())).json()).toEqual({ limit: 7 })
  })
  for (const [path, detail] of [
    ["/things?limit=0", /^limit: /],
    ["/things?limit=x", /^limit: must be a number/],
    ["/things?limit=0x10", /^limit: must be a number/],
    ["/things?limit=1e1", /^limit: must be a number/],
    ["/things?limit=%205", /^limit: must be a number/],
    ["/things?limit=Infinity", /^limit: must be a number/],
    ["/things?limit=%D9%A3", /^limit: must be a number/],
    ["/things?limit=1&limit=2", /^limit: given twice/],
  ] as const)
    it(`is a 422 that names the field: ${path}`, async () => {
      const response = await echo.GET(at(path), context())
      expect(response.status).toBe(422)
      expect(await detailOf(response)).toMatch(detail)
    })
  for (const [name, body, type, status, detail] of [
    ["broken JSON", "{", "application/json", 400, /JSON/],
    ["no body", "", "application/json", 400, /JSON/],
    ["bytes that are no UTF-8", new Uint8Array([123, 255, 125]), "application/json", 400, /JSON/],
    ["an array", "[]", "application/json", 422, /^the body: must be an object/],
    ["null", "null", "application/json", 422, /^the body: must be an object/],
    ["a missing field", "{}", "application/json", 422, /^name: .*missing/],
    [
      "a wrong type deep inside",
      '{"name":"x","inner":{"list":[1,"2"]}}',
      "application/json",
      422,
      /^inner\.list\[1\]: must be a number/,
    ],
    ["a polluting key", '{"__proto__":{"name":"x"}}', "application/json", 422, /^name/],
    ["another type", "name=x", "text/plain", 415, /application\/json/],
    ["a form where JSON is due", "x", "multipart/form-data; boundary=b", 415, /application\/json/],
  ] as const)
    it(`is ${status} for ${name}`, async () => {
      const response = await echo.POST(posting(body, type), context())
      expect(response.status).toBe(status)
      expect(await detailOf(response)).toMatch(detail)
    })
  it("ends at the size that JSON may have, though no length was announced", async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(2 ** 20).fill(32))
        sent++
      },
    })
    const request = at("/things", {
      method: "POST",
      body: endless,
      duplex: "half",
      headers: { "content-type": "application/json" },
    } as RequestInit)
    expect((await echo.POST(request, context())).status).toBe(413)
    expect(sent).toBeLessThan(40)
  })
  it("takes JSON in UTF-8 alone", async () => {
    expect((await echo.POST(posting('{"name":"x"}', 'application/json; Charset="UTF-8"'), context())).status).toBe(201)
    const refused = await echo.POST(posting('{"name":"x"}', "application/json; charset=utf-16"), context())
    expect([refused.status, await detailOf(refused)]).toEqual([415, "The body must be JSON in UTF-8, not utf-16."])
  })
})

describe("what goes out", () => {
  it("holds what the contract has and no more", async () => {
    expect(await (await echo.GET(at("/things"), context())).json()).not.toHaveProperty("secret")
    expect((await echo.POST(posting('{"name":"x"}'), context())).status).toBe(201)
  })
  it("is a generic 500 when it breaks the contract", async () => {
    const liar = route({
      GET: endpoint({ response: z.object({ n: z.number() }), run: async () => ({ n: "text" }) as never }),
    })
    const response = await liar.GET(at("/liar"), context())
    expect([response.status, await detailOf(response)]).toEqual([500, expect.not.stringContaining("text")])
  })
})

describe("errors", () => {
  const throwing = (error: unknown) =>
    route({ GET: endpoint({ run: () => Promise.reject(error) }) }).GET(at("/x"), context())
  it("keep their sentence and status", async () => {
    const response = await throwing(new AppError("conflict", "job 'x' is done"))
    expect([response.status, await detailOf(response)]).toEqual([409, "job 'x' is done"])
  })
  it("say when to come back", async () => {
    const response = await throwing(new AppError("unavailable", "busy", { retryInMs: 1500 }))
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"])
  })
  it("of the program say nothing of their cause", async () => {
    const response = await throwing(new Error("password=hunter2"))
    expect([response.status, await detailOf(response)]).toEqual([500, expect.not.stringContaining("hunter2")])
  })
})

describe("methods", () => {
  it("that a path does not have are 405 with Allow and a sentence", async () => {
    for (const method of ["PUT", "PATCH", "DELETE"] as const) {
      const response = await echo[method](at("/things", { method }), context())
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"])
      expect(await detailOf(response)).toContain(method)
    }
    expect(Object.keys(echo)).toEqual([...METHODS])
  })
  it("HEAD answers as GET without a body, errors included", async () => {
    const good = await echo.HEAD(at("/things", { method: "HEAD" }), context())
    expect([good.status, await good.text(), good.headers.get("content-type")]).toEqual([200, "", "application/json"])
    const bad = await echo.HEAD(at("/things?limit=x", { method: "HEAD" }), context())
    expect([bad.status, await bad.text()]).toEqual([422, ""])
    const none = route({ POST: endpoint({ run: async () => new Response() }) })
    expect((await none.HEAD(at("/x", { method: "HEAD" }), context())).status).toBe(405)
  })
  it("OPTIONS tells what there is", async () => {
    const response = await echo.OPTIONS(at("/things", { method: "OPTIONS" }), context())
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"])
  })
})

describe("groups that are absent", () => {
  it("are told before the request is looked at", async () => {
    const { POST } = route({
      POST: endpoint({ needs: ["rag", "broker"], body: z.object({ a: z.string() }), run: async () => new Response() }),
    })
    const response = await POST(posting("{"), context())
    expect([response.status, await detailOf(response)]).toEqual([
      503,
      expect.stringMatching(/SERVICE_DISABLE_EXTRAS.*npm install .+/),
    ])
  })
  it("take the paths that belong to them with them", async () => {
    const { GET } = route({ GET: endpoint({ partOf: "broker", run: async () => new Response() }) })
    const response = await GET(at("/gone"), context())
    expect([response.status, await detailOf(response)]).toEqual([404, "no such path: /gone"])
  })
})
