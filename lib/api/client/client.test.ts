import { afterEach, describe, expect, it, vi } from "vitest"
import { makeClient } from "./client.ts"
import { EarmarkError } from "./errors.ts"
import type { Checks, ClientOptions } from "./transport.ts"

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Passes every body, so that the tests need no whole records. */
const checks = { response: (_id, _status, body) => body, event: (_id, _status, event) => event } as Checks

type Sent = {
  readonly url: string
  readonly method: string | undefined
  readonly headers: Record<string, string>
  readonly body: unknown
}

/** Creates a client of a service that answers with the given responses. */
const createClient = (answers: Response[] = [], options: Partial<ClientOptions> = {}) => {
  const sent: Sent[] = []
  const fetch = (async (url: string, { method, headers, body }: RequestInit) => {
    sent.push({ url, method, headers: headers as Record<string, string>, body })
    return answers.shift() ?? Response.json({})
  }) as typeof globalThis.fetch
  return { client: makeClient({ baseUrl: "http://host:8000/", fetch, ...options }, checks), sent }
}
const last = (sent: Sent[]) => sent.at(-1)!

describe("requests of the client", () => {
  it("have the address, the method, the token and the kinds of bodies", async () => {
    const { client, sent } = createClient([], { token: "secret" })
    await client.clip("a/b c")
    expect(last(sent)).toEqual({
      url: "http://host:8000/clips/a%2Fb%20c",
      method: "GET",
      headers: { accept: "application/json", authorization: "Bearer secret" },
      body: undefined,
    })
    await client.clips({ limit: 5 })
    expect(last(sent).url).toBe("http://host:8000/clips?limit=5")
    await client.clips()
    expect(last(sent).url).toBe("http://host:8000/clips")
    await client.editTopic("a", "1.2", { title: "New" })
    expect(last(sent)).toMatchObject({
      url: "http://host:8000/clips/a/topics/1.2",
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"title":"New"}',
    })
    const { client: bare, sent: bareSent } = createClient([], { baseUrl: "http://host:8000//" })
    await bare.clip("a")
    expect(last(bareSent).headers).toEqual({ accept: "application/json" })
    expect(last(bareSent).url).toBe("http://host:8000/clips/a")
  })

  it("throw what the service says, what is wrong with an answer, and that it cannot be reached", async () => {
    const failing = createClient([
      Response.json({ detail: "unknown clip 'a'" }, { status: 404 }),
      new Response("<html>"),
      new Response(null, { status: 204 }),
    ]).client
    await expect(failing.clip("a")).rejects.toMatchObject({ status: 404, detail: "unknown clip 'a'" })
    await expect(failing.clip("a")).rejects.toMatchObject({
      status: 200,
      message: "The response is not JSON. Check the address of the service.",
    })
    expect(await failing.deleteClip("a")).toBeUndefined()
    const refused = (baseUrl: string) =>
      makeClient({ baseUrl, fetch: () => Promise.reject(new TypeError("refused")) }, checks)
    const message = (where: string) => `Couldn't reach the service at ${where}. Is it running?`
    await expect(refused("http://host").clip("a")).rejects.toMatchObject({ status: 0, message: message("http://host") })
    await expect(refused("").clip("a")).rejects.toMatchObject({ status: 0, message: message("this address") })
    const reason = new Error("stopped")
    const aborted = makeClient({ fetch: () => Promise.reject(reason) }, checks).clip("a", {
      signal: AbortSignal.abort(reason),
    })
    await expect(aborted).rejects.toBe(reason)
  })

  it("use the fetch of the platform by default", async () => {
    const fetch = vi.fn(async () => Response.json({ id: "a" }))
    vi.stubGlobal("fetch", fetch)
    expect(await makeClient({}, checks).clip("a")).toEqual({ id: "a" })
    expect(fetch).toHaveBeenCalledWith("/clips/a", expect.objectContaining({ method: "GET" }))
  })
})

describe("special methods of the client", () => {
  it("return the readiness also of a service that is not ready", async () => {
    const { client } = createClient([
      Response.json({ status: "down" }, { status: 503 }),
      Response.json({ status: "ok" }),
      Response.json({ detail: "no" }, { status: 401 }),
    ])
    expect(await client.readiness()).toEqual({ status: "down" })
    expect(await client.readiness()).toEqual({ status: "ok" })
    await expect(client.readiness()).rejects.toMatchObject({ status: 401 })
  })

  it("give the addresses of files", () => {
    const { client } = createClient()
    expect(client.audioUrl("a b")).toBe("http://host:8000/clips/a%20b/audio")
    expect(client.exportUrl("a", "srt")).toBe("http://host:8000/clips/a/export?format=srt")
    expect(client.documentFileUrl("d")).toBe("http://host:8000/documents/d/file")
  })

  it("export a clip as text", async () => {
    const { client, sent } = createClient([new Response("1\n"), new Response('{"detail":"gone"}', { status: 404 })])
    expect(await client.exportClip("a", "srt")).toBe("1\n")
    expect(last(sent)).toMatchObject({ url: "http://host:8000/clips/a/export?format=srt", headers: { accept: "*/*" } })
    await expect(client.exportClip("a", "srt")).rejects.toMatchObject({ status: 404, detail: "gone" })
  })

  it("return the map with its ETag, or null if it is known", async () => {
    const { client, sent } = createClient([
      Response.json({ points: [] }, { headers: { etag: '"1"' } }),
      new Response(null, { status: 304 }),
      Response.json({ points: [] }),
      Response.json({ detail: "no" }, { status: 503 }),
    ])
    expect(await client.vizData({ threshold: 0.5 })).toEqual({ data: { points: [] }, etag: '"1"' })
    expect(last(sent).url).toBe("http://host:8000/viz/data?distance_threshold=0.5")
    expect(last(sent).headers).not.toHaveProperty("if-none-match")
    expect(await client.vizData({ etag: '"1"' })).toBeNull()
    expect(last(sent)).toMatchObject({ url: "http://host:8000/viz/data", headers: { "if-none-match": '"1"' } })
    expect(await client.vizData()).toMatchObject({ etag: "" })
    await expect(client.vizData()).rejects.toBeInstanceOf(EarmarkError)
    await client.vizSearch({ q: "bees", topK: 3 })
    expect(last(sent).url).toBe("http://host:8000/viz/search?q=bees&top_k=3")
  })

  it("send word edits, and files as forms whose fields come first", async () => {
    const { client, sent } = createClient()
    await client.editWords("a", [{ kind: "merge", from: "1", into: "0" }])
    expect(JSON.parse(String(last(sent).body))).toEqual({ edits: [{ kind: "merge", from: "1", into: "0" }] })
    const formOf = async () => {
      const { body, headers } = last(sent)
      expect(headers).not.toHaveProperty("content-type")
      return [...(body as FormData)].map(([name, value]) => [name, value instanceof File ? value.name : value])
    }
    const file = new File(["sound"], "talk.wav")
    await client.upload(file, { title: "A talk", speakers: 2, reasoning: true, llm_model: undefined as never })
    expect(await formOf()).toEqual([
      ["title", "A talk"],
      ["speakers", "2"],
      ["reasoning", "true"],
      ["file", "talk.wav"],
    ])
    await client.upload(new Blob(["sound"]))
    expect(await formOf()).toEqual([["file", "recording"]])
    await client.upload(file, {}, { filename: "other.wav" })
    expect(await formOf()).toEqual([["file", "other.wav"]])
    await client.addDocument(new Blob(["text"]))
    expect(await formOf()).toEqual([["file", "document.txt"]])
    await client.addDocument(new File(["text"], "notes.md"), { filename: "n.md" })
    expect(await formOf()).toEqual([["file", "n.md"]])
  })
})
