import http from "node:http"
import { brotliDecompressSync, createBrotliDecompress, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serve, tempConfig } from "#test/fixtures/web.ts"
import type { HttpServer } from "./http-server.ts"

const { config, remove } = tempConfig()
const LONG = "word ".repeat(1000)
let server: HttpServer
/** Ends the streams that a test has left open. */
let endStream: (() => void) | undefined

const streamOf = (type: string, first: string): Response => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(first))
      endStream = () => controller.close()
    },
  })
  return new Response(body, { headers: { "content-type": type } })
}

const answer = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  if (pathname === "/short")
    return new Response('{"a":1}', { headers: { "content-type": "application/json", "content-length": "7" } })
  if (pathname === "/error") return Response.json({ detail: LONG }, { status: 422 })
  if (pathname === "/events") return streamOf("text/event-stream", "data: 1\n\n")
  if (pathname === "/lines") return streamOf("application/x-ndjson", '{"a":1}\n')
  if (pathname === "/sound") return new Response(LONG, { headers: { "content-type": "audio/mpeg" } })
  return new Response(LONG, { headers: { "content-type": "text/html", etag: '"x"' } })
}

beforeAll(async () => {
  server = await serve(config, answer)
})
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  remove()
})

type Received = { status: number; headers: http.IncomingHttpHeaders; body: Buffer }

const get = (path: string, encoding: string | undefined, method = "GET"): Promise<Received> =>
  new Promise((resolve, reject) => {
    const headers = encoding === undefined ? {} : { "accept-encoding": encoding }
    http
      .request(`${server.url}${path}`, { method, headers }, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) })
      })
      .on("error", reject)
      .end()
  })

describe("responses", () => {
  it("are compressed with what the client prefers, and vary by it", async () => {
    const br = await get("/page", "gzip, deflate, br")
    expect([br.headers["content-encoding"], br.headers.vary, br.headers.etag]).toEqual(["br", "Accept-Encoding", '"x"'])
    expect(brotliDecompressSync(br.body).toString()).toBe(LONG)
    expect(br.body.length).toBeLessThan(LONG.length / 10)
    const gzip = await get("/page", "gzip")
    expect([gzip.headers["content-encoding"], gunzipSync(gzip.body).toString()]).toEqual(["gzip", LONG])
    const plain = await get("/page", undefined)
    expect([plain.headers["content-encoding"], plain.body.toString()]).toEqual([undefined, LONG])
  })
  it("that are errors are compressed as well", async () => {
    const { status, headers, body } = await get("/error", "br")
    expect([status, headers["content-encoding"]]).toEqual([422, "br"])
    expect(JSON.parse(brotliDecompressSync(body).toString())).toEqual({ detail: LONG })
  })
  it("that are short, no text, or without a body are not", async () => {
    const short = await get("/short", "br")
    expect([short.headers["content-encoding"], short.headers["content-length"]]).toEqual([undefined, "7"])
    expect((await get("/sound", "br")).headers["content-encoding"]).toBeUndefined()
    expect((await get("/page", "br", "HEAD")).headers["content-encoding"]).toBeUndefined()
  })
})

describe("streams", () => {
  const firstChunk = (path: string): Promise<[string | undefined, string]> =>
    new Promise((resolve, reject) => {
      http
        .get(`${server.url}${path}`, { headers: { "accept-encoding": "br" } }, (response) => {
          const encoding = response.headers["content-encoding"]
          const text = encoding === "br" ? response.pipe(createBrotliDecompress()) : response
          text.once("data", (chunk: Buffer) => {
            resolve([encoding, chunk.toString()])
            endStream?.()
          })
        })
        .on("error", reject)
    })

  it("of events are not compressed", async () => {
    expect(await firstChunk("/events")).toEqual([undefined, "data: 1\n\n"])
  })
  it("of lines are compressed, and each chunk arrives before the next is written", async () => {
    expect(await firstChunk("/lines")).toEqual(["br", '{"a":1}\n'])
  })
})
