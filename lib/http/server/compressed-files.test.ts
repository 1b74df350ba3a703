import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import http, { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "#test/fixtures/web.ts"
import { pack } from "../../../scripts/pack.mjs"
import { createCompressedFileHandler } from "./compressed-files.ts"

const folder = mkdtempSync(join(tmpdir(), "earmark-packed-"))
const script = "const boat = 'a boat, bees and a comet'\n".repeat(200)
let server: Server
let url: string

beforeAll(async () => {
  mkdirSync(join(folder, "chunks"))
  writeFileSync(join(folder, "chunks/a.js"), script)
  writeFileSync(join(folder, "chunks/tiny.js"), "1")
  await pack(folder)
  const serveCompressed = createCompressedFileHandler(folder)
  server = createServer((request, response) => {
    if (!serveCompressed(request, response)) response.end("uncompressed")
  })
  url = await listen(server)
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a request without decompressing the response, which fetch would do. */
const ask = (path: string, headers: http.OutgoingHttpHeaders, method = "GET") =>
  new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const request = http.request(new URL(url), { path, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject)
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    })
    request.on("error", reject).end()
  })
const A = "/_next/static/chunks/a.js"

describe("compressed files", () => {
  it("serves the encoding that the client ranks highest", async () => {
    const br = await ask(A, { "accept-encoding": "gzip, deflate, br, zstd" })
    expect([br.status, br.headers["content-encoding"], br.headers["content-type"]]).toEqual([
      200,
      "br",
      "application/javascript; charset=UTF-8",
    ])
    expect(brotliDecompressSync(br.body).toString()).toBe(script)
    expect(Number(br.headers["content-length"])).toBe(br.body.length)
    const gz = await ask(A, { "accept-encoding": "br;q=0.2, gzip" })
    expect(gz.headers["content-encoding"]).toBe("gzip")
    expect(gunzipSync(gz.body).toString()).toBe(script)
    expect((await ask(A, { "accept-encoding": "*" })).headers["content-encoding"]).toBe("br")
  })
  it("leaves requests without an acceptable encoding, range requests and small files to the next handler", async () => {
    for (const [path, headers] of [
      [A, {}],
      [A, { "accept-encoding": "identity" }],
      [A, { "accept-encoding": "br;q=0, gzip;q=0" }],
      [A, { "accept-encoding": "br", range: "bytes=0-9" }],
      ["/_next/static/chunks/tiny.js", { "accept-encoding": "br" }],
      ["/_next/static/../../secret.js", { "accept-encoding": "br" }],
    ] as const)
      expect((await ask(path, headers)).body.toString(), path).toBe("uncompressed")
    expect((await ask(A, {})).headers.vary).toBe("Accept-Encoding")
  })
  it("responds with 304 to the ETag of the same encoding only", async () => {
    const { headers } = await ask(A, { "accept-encoding": "br" })
    expect(headers["cache-control"]).toContain("immutable")
    const known = await ask(A, { "accept-encoding": "br", "if-none-match": String(headers.etag) })
    expect([known.status, known.body.length]).toEqual([304, 0])
    expect((await ask(A, { "accept-encoding": "gzip", "if-none-match": String(headers.etag) })).status).toBe(200)
    const head = await ask(A, { "accept-encoding": "br" }, "HEAD")
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, headers.etag])
  })
})
