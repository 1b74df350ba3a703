import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as z from "zod"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { silent, tempConfig } from "#test/fixtures/web.ts"
import type { Endpoint } from "../api/endpoint.ts"
import { AppError } from "../domain/errors.ts"
import { openNode } from "../services/installation/open-node.ts"
import { setHttpDeps } from "./container.ts"
import { METHODS } from "./responses/error-response.ts"
import { createHandler, Reply, type Run, route } from "./route.ts"

const { config, remove } = tempConfig({ SERVICE_DISABLE_EXTRAS: "broker" })
let node: Awaited<ReturnType<typeof openNode>>

beforeAll(async () => {
  node = await openNode(config, silent)
  const never = () => Promise.reject()
  const viz = { compose: never, refit: never, embedTerms: never, close: async () => undefined }
  setHttpDeps({ parseJob: createJobParser(), ...node, viz, root: "/", stopping: new AbortController().signal })
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

/** A route with one GET handler that returns a `Response` itself, unless `endpoint` declares a JSON one. */
const get = <const E extends Partial<Endpoint>>(
  endpoint: E,
  run: Run<E & { method: "GET"; path: "/x"; scope: null; summary: "" }>,
) => route([createHandler("get", { method: "GET", path: "/x", scope: null, summary: "", ...endpoint }, run)])

const echo = route([
  createHandler(
    "list",
    {
      method: "GET",
      path: "/things",
      scope: null,
      summary: "",
      query: z.object({ limit: z.coerce.number().int().min(1).default(5) }),
      response: { name: "Limit", schema: z.object({ limit: z.number() }) },
    },
    async (_deps, { query }) => ({ ...query, secret: "not in the schema" }),
  ),
  createHandler(
    "create",
    {
      method: "POST",
      path: "/things",
      scope: null,
      summary: "",
      body: {
        name: "Thing",
        schema: z.object({ name: z.string().min(1), inner: z.object({ list: z.array(z.number()) }).optional() }),
        example: {},
      },
      status: 201,
      response: { name: "Thing", schema: z.object({ name: z.string() }) },
    },
    async (_deps, { body }) => body,
  ),
])

describe("unknown fields", () => {
  const WARNING = "unknown field 'nmae' ignored; did you mean 'name'?"
  it("are ignored, and named in the header and in the object that is created", async () => {
    const response = await echo.POST(posting('{"name":"x","nmae":"y"}'), context())
    expect([response.status, response.headers.get("earmark-warnings")]).toEqual([201, WARNING])
    expect(await response.json()).toEqual({ name: "x", warnings: [WARNING] })
  })
  it("are named in the header alone if nothing is created, also in an error", async () => {
    const path = "/things?limti=3&%C3%A4=1"
    const expected =
      "unknown query parameter 'limti' ignored; did you mean 'limit'?; unknown query parameter '?' ignored"
    const response = await echo.GET(at(path), context())
    expect(response.headers.get("earmark-warnings")).toBe(expected)
    expect(await response.json()).toEqual({ limit: 5 })
    const error = await echo.GET(at(`${path}&limit=x`), context())
    expect([error.status, error.headers.get("earmark-warnings")]).toEqual([422, expected])
  })
  it("cause no warning if there are none", async () => {
    const response = await echo.POST(posting('{"name":"x"}'), context())
    expect(response.headers.has("earmark-warnings")).toBe(false)
    expect(await response.json()).toEqual({ name: "x" })
  })
})

describe("error bodies", () => {
  it("have a sentence, a code, every invalid field and the ID of the request", async () => {
    const body = '{"name":"","inner":{"list":["2"]}}'
    const headers = { "content-type": "application/json", "x-request-id": "r-1" }
    const response = await echo.POST(at("/things", { method: "POST", body, headers }), context())
    expect(await response.json()).toEqual({
      detail: "name: must not be empty (and 1 more)",
      code: "invalid",
      errors: [
        { loc: ["body", "name"], msg: "must not be empty", type: "too_small" },
        { loc: ["body", "inner", "list", 0], msg: "must be a number", type: "invalid_type" },
      ],
      request_id: "r-1",
    })
  })
  it("say which path parameter, query parameter or method is wrong", async () => {
    const query = await echo.GET(at("/things?limit=0"), context())
    expect(await query.json()).toMatchObject({ code: "invalid", errors: [{ loc: ["query", "limit"] }] })
    const method = await echo.DELETE(at("/things", { method: "DELETE" }), context())
    expect(await method.json()).toMatchObject({ code: "method_not_allowed" })
  })
})

describe("request validation", () => {
  it("applies defaults and converts numbers of the query", async () => {
    expect(await (await echo.GET(at("/things"), context())).json()).toEqual({ limit: 5 })
    expect(await (await echo.GET(at("/things?limit=7"), context())).json()).toEqual({ limit: 7 })
  })
  it.each(["constructor", "toString", "valueOf", "__proto__"])(
    "ignores the unknown query parameter %s",
    async (name) => {
      const response = await echo.GET(at(`/things?${name}=1`), context())
      expect([response.status, await response.json()]).toEqual([200, { limit: 5 }])
    },
  )
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
    it(`answers 422 and names the field for ${path}`, async () => {
      const response = await echo.GET(at(path), context())
      expect(response.status).toBe(422)
      expect(await detailOf(response)).toMatch(detail)
    })
  for (const [name, body, type, status, detail] of [
    ["broken JSON", "{", "application/json", 400, /JSON/],
    ["no body", "", "application/json", 400, /JSON/],
    ["a body that is not UTF-8", new Uint8Array([123, 255, 125]), "application/json", 400, /JSON/],
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
    ["a __proto__ key", '{"__proto__":{"name":"x"}}', "application/json", 422, /^name/],
    ["another media type", "name=x", "text/plain", 415, /application\/json/],
    ["a form instead of JSON", "x", "multipart/form-data; boundary=b", 415, /application\/json/],
  ] as const)
    it(`answers ${status} for ${name}`, async () => {
      const response = await echo.POST(posting(body, type), context())
      expect(response.status).toBe(status)
      expect(await detailOf(response)).toMatch(detail)
    })
  it("answers 413 once a body without Content-Length exceeds the limit", async () => {
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
  it("rejects JSON in a charset other than UTF-8", async () => {
    expect((await echo.POST(posting('{"name":"x"}', 'application/json; Charset="UTF-8"'), context())).status).toBe(201)
    const rejected = await echo.POST(posting('{"name":"x"}', "application/json; charset=utf-16"), context())
    expect([rejected.status, await detailOf(rejected)]).toEqual([415, "The body must be JSON in UTF-8, not utf-16."])
  })
})

describe("the parameter fields", () => {
  const item = z.object({ id: z.string(), title: z.string(), words: z.array(z.number()) })
  const answer = { items: [{ id: "a", title: "A", words: [1] }], next_cursor: "c" }
  const list = z.object({ items: z.array(item), next_cursor: z.string() })
  const items = get({ response: { name: "Items", schema: list }, fieldsOf: "items" }, async () => answer)
  const one = get({ response: { name: "Item", schema: item }, fieldsOf: "response" }, async () => answer.items[0]!)

  it("selects fields of the response, or of the entries of a list", async () => {
    expect(await (await one.GET(at("/x?fields=id,title"), context())).json()).toEqual({ id: "a", title: "A" })
    expect(await (await items.GET(at("/x?fields=title"), context())).json()).toEqual({
      items: [{ title: "A" }],
      next_cursor: "c",
    })
  })
  it.each(["fields=id&fields=title", "fields=id,%20title", "fields=title,id,id"])(
    "can be given as %s",
    async (query) => {
      const response = await one.GET(at(`/x?${query}`), context())
      expect([response.status, await response.json()]).toEqual([200, { id: "a", title: "A" }])
    },
  )
  it("selects everything if it is empty", async () => {
    expect(await (await one.GET(at("/x?fields="), context())).json()).toEqual(answer.items[0])
  })
  it("answers 422 to an unknown field and names the known ones", async () => {
    for (const unknown of ["titel", "constructor", ""]) {
      const response = await one.GET(at(`/x?fields=id,${unknown}`), context())
      expect([response.status, await response.json()]).toEqual([
        422,
        expect.objectContaining({
          detail: "fields[1]: must be one of id, title, words",
          errors: [{ loc: ["query", "fields", 1], msg: "must be one of id, title, words", type: "invalid_value" }],
        }),
      ])
    }
  })
  it("is an unknown parameter of other endpoints", async () => {
    const response = await echo.GET(at("/things?fields=limit"), context())
    expect(response.headers.get("earmark-warnings")).toBe("unknown query parameter 'fields' ignored")
  })
  it("is suggested for a similar name", async () => {
    const response = await one.GET(at("/x?field=id"), context())
    expect(response.headers.get("earmark-warnings")).toContain("did you mean 'fields'?")
  })
  it("does not check the fields that are left out", async () => {
    const broken = { ...answer.items[0]!, words: ["one"] } as never
    const { GET } = get({ response: { name: "Item", schema: item }, fieldsOf: "response" }, async () => broken)
    expect((await GET(at("/x"), context())).status).toBe(500)
    expect((await GET(at("/x?fields=id"), context())).status).toBe(200)
  })
})

describe("response validation", () => {
  it("removes fields that the response schema does not have", async () => {
    expect(await (await echo.GET(at("/things"), context())).json()).not.toHaveProperty("secret")
    expect((await echo.POST(posting('{"name":"x"}'), context())).status).toBe(201)
  })
  it("answers a generic 500 if the response does not match its schema", async () => {
    const { GET } = get(
      { response: { name: "Number", schema: z.object({ n: z.number() }) } },
      async () => ({ n: "text" }) as never,
    )
    const response = await GET(at("/x"), context())
    expect([response.status, await detailOf(response)]).toEqual([500, expect.not.stringContaining("text")])
  })
})

describe("response status", () => {
  it("is that of a Reply", async () => {
    const response = { name: "Number", schema: z.object({ n: z.number() }) }
    const answer = await get({ response }, async () => new Reply({ n: 1 }, { status: 503 })).GET(at("/x"), context())
    expect([answer.status, await answer.json()]).toEqual([503, { n: 1 }])
  })
  it("is 204 without a body if the endpoint declares it", async () => {
    const answer = await get({ status: 204 }, async () => undefined).GET(at("/x"), context())
    expect([answer.status, await answer.text()]).toEqual([204, ""])
  })
})

describe("error responses", () => {
  const throwing = (error: unknown) => get({}, () => Promise.reject(error)).GET(at("/x"), context())
  it("have the message and status of an AppError", async () => {
    const response = await throwing(new AppError("conflict", "job 'x' is done"))
    expect([response.status, await detailOf(response)]).toEqual([409, "job 'x' is done"])
  })
  it("state the delay of a retryable AppError in Retry-After", async () => {
    const response = await throwing(new AppError("unavailable", "busy", { retryInMs: 1500 }))
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"])
  })
  it("hide the message of an unexpected error", async () => {
    const response = await throwing(new Error("password=hunter2"))
    expect([response.status, await detailOf(response)]).toEqual([500, expect.not.stringContaining("hunter2")])
  })
})

describe("methods", () => {
  it("answers 405 with Allow for a method that the path does not have", async () => {
    for (const method of ["PUT", "PATCH", "DELETE"] as const) {
      const response = await echo[method](at("/things", { method }), context())
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"])
      expect(await detailOf(response)).toContain(method)
    }
    expect(Object.keys(echo)).toEqual([...METHODS])
  })
  it("answers HEAD like GET without a body, errors included", async () => {
    const good = await echo.HEAD(at("/things", { method: "HEAD" }), context())
    expect([good.status, await good.text(), good.headers.get("content-type")]).toEqual([200, "", "application/json"])
    const bad = await echo.HEAD(at("/things?limit=x", { method: "HEAD" }), context())
    expect([bad.status, await bad.text()]).toEqual([422, ""])
    const none = route([
      createHandler("post", { method: "POST", path: "/x", scope: null, summary: "" }, async () => new Response()),
    ])
    expect((await none.HEAD(at("/x", { method: "HEAD" }), context())).status).toBe(405)
  })
  it("lists the methods of the path for OPTIONS", async () => {
    const response = await echo.OPTIONS(at("/things", { method: "OPTIONS" }), context())
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"])
  })
})

describe("scopes", () => {
  const write = route([
    createHandler("post", { method: "POST", path: "/x", scope: "write", summary: "" }, async () => new Response("in")),
  ])
  const post = (scopes?: string) =>
    write.POST(at("/x", { method: "POST", headers: scopes ? { "x-earmark-scopes": scopes } : {} }), context())
  it("let a request pass that has the scope of the endpoint, or one that includes it", async () => {
    expect((await post("write")).status).toBe(200)
    expect((await post("admin")).status).toBe(200)
    expect((await post("read write")).status).toBe(200)
  })
  it("name the missing scope in the answer to any other request", async () => {
    const response = await post("read")
    expect(response.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="write"')
    expect([response.status, await response.json()]).toEqual([
      403,
      { code: "insufficient_scope", detail: expect.stringContaining("'write', and the token has 'read'") },
    ])
    expect((await post()).status).toBe(403)
    expect((await post("writer admins")).status).toBe(403)
  })
})

describe("missing capability groups", () => {
  it("answer 503 with an install command before the request is validated", async () => {
    const body = { name: "A", schema: z.object({ a: z.string() }), example: {} }
    const { POST } = route([
      createHandler(
        "post",
        { method: "POST", path: "/x", scope: null, summary: "", needs: ["rag", "broker"], body },
        async () => new Response(),
      ),
    ])
    const response = await POST(posting("{"), context())
    expect([response.status, await detailOf(response)]).toEqual([
      503,
      expect.stringMatching(/SERVICE_DISABLE_EXTRAS.*npm install .+/),
    ])
  })
  it("answer 404 for a path that belongs to the group", async () => {
    const { GET } = get({ partOf: "broker" }, async () => new Response())
    const response = await GET(at("/gone"), context())
    expect([response.status, await detailOf(response)]).toEqual([404, "no such path: /gone"])
  })
})
