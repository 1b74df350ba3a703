import { describe, expect, it } from "vitest"
import { createClient } from "./client/index.ts"
import { createUncheckedClient } from "./client/unchecked.ts"
import type { Endpoints } from "./endpoint.ts"
import { EVENT_EXAMPLES, RESPONSE_EXAMPLES } from "./openapi/examples.ts"
import { ENDPOINTS, ENDPOINTS_BY_TAG } from "./table.ts"

const endpoints = Object.entries<Endpoints[string]>(ENDPOINTS)

describe("the endpoint table", () => {
  it("gives every endpoint one tag and an ID of its own", () => {
    const ids = Object.values<Endpoints>(ENDPOINTS_BY_TAG).flatMap((tagged) => Object.keys(tagged))
    expect(ids.toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted())
  })
  it("declares each method of a path once", () => {
    const routes = endpoints.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(routes.length)
  })
  it.each(endpoints)("declares the path parameters of %s", (_id, { path, params }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(params?.shape ?? {})).toEqual(names)
  })
  it.each(endpoints)("has examples that match the schemas of %s", (id, { body, response, events }) => {
    expect(body?.schema.safeParse(body.example).error?.issues).toBeUndefined()
    const examples = { ...RESPONSE_EXAMPLES } as Readonly<Record<string, unknown>>
    expect(response?.schema.safeParse(examples[id]).error?.issues).toBeUndefined()
    const eventExamples = { ...EVENT_EXAMPLES } as Readonly<Record<string, unknown>>
    expect(events?.schema.safeParse(eventExamples[id]).error?.issues).toBeUndefined()
  })
  it("uses each schema name for one schema", () => {
    const named = new Map<string, unknown>()
    for (const [, { body, response, events }] of endpoints)
      for (const { name, schema } of [body, response, events].filter((given) => given !== undefined)) {
        expect(named.get(name) ?? schema, name).toBe(schema)
        named.set(name, schema)
      }
  })
})

describe("the typed client", () => {
  for (const [kind, client] of [
    ["checked", createClient()],
    ["unchecked", createUncheckedClient()],
  ] as const)
    it(`has a method for every JSON endpoint (${kind})`, () => {
      for (const [id, { response, status, call, requestHeaders }] of endpoints)
        if (requestHeaders === undefined && (response || status === 204))
          expect(client, id).toHaveProperty(call!, expect.any(Function))
    })

  it("sends path parameters, then a body or a query, as each endpoint takes them", async () => {
    const requests: unknown[] = []
    const send = async (url: unknown, init: RequestInit = {}) => {
      requests.push([init.method, String(url), init.body ?? null])
      return Response.json({})
    }
    const client = createUncheckedClient({ fetch: send as typeof fetch })
    await client.jobs({ limit: 7 })
    await client.editClip("a/b", { title: "T" })
    await client.clip("c")
    expect(requests).toEqual([
      ["GET", "/jobs?limit=7", null],
      ["PATCH", "/clips/a%2Fb", '{"title":"T"}'],
      ["GET", "/clips/c", null],
    ])
  })
})
