import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type AudioRequest, postAudio, resolveServer } from "./request.ts"
import { wavFile } from "./wav.ts"

let handle: (request: IncomingMessage, response: ServerResponse) => void
let requests: number
let sockets: Socket[]
let url: string
const server = createServer((request, response) => {
  requests++
  response.on("error", () => undefined)
  handle(request, response)
})
server.on("connection", (socket) => sockets.push(socket))
beforeEach(async () => {
  requests = 0
  sockets = []
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
)

/** Sends a second of audio. `limitMs` is the timeout, including the minute for loading the model. */
const post = (more: Partial<AudioRequest> & { signal?: AbortSignal; limitMs?: number } = {}) => {
  const { signal = new AbortController().signal, limitMs = 60_000, ...options } = more
  const audio = { fields: [], file: wavFile(new Int16Array(16_000)), length_s: 600, ...options }
  return postAudio(resolveServer(url, { apiKey: undefined, timeoutMs: limitMs - 60_000 }), "/x", audio, signal)
}

describe("a speech server", () => {
  it("is disconnected after 32 MB of an endless response", async () => {
    let sent = 0
    handle = (_, response) => {
      const piece = "x".repeat(1 << 18)
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length
        sent += piece.length
      }
      response.on("drain", more)
      more()
    }
    await expect(post()).rejects.toMatchObject({ retry: "never", message: expect.stringMatching(/larger than 32 MB/) })
    expect(requests).toBe(1)
    expect(sent).toBeLessThan(60 * 2 ** 20)
  })

  it.each([
    ["never responds", () => {}],
    ["begins a response and stalls", (response: ServerResponse) => void response.write("{")],
    [
      "sends single bytes",
      (response: ServerResponse) => {
        const drip = setInterval(() => (response.destroyed ? clearInterval(drip) : response.write(" ")), 20)
      },
    ],
  ])("that %s is disconnected after the timeout, and immediately when the job is cancelled", async (_, answer) => {
    handle = (request, response) => void request.resume().on("end", () => answer(response))
    await expect(post({ limitMs: 400 })).rejects.toMatchObject({
      retry: "retry",
      message: expect.stringMatching(/not respond completely within 0 s to 600 s.*SERVICE_SPEECH_TIMEOUT_S/),
    })
    expect(requests).toBe(1)

    const abort = new AbortController()
    const reason = new Error("cancelled")
    const running = post({ signal: abort.signal })
    running.catch(() => {})
    await expect.poll(() => requests).toBe(2)
    const abortedAt = performance.now()
    abort.abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(performance.now() - abortedAt).toBeLessThan(2000)
    await expect.poll(() => sockets.every((socket) => socket.destroyed || socket.readableEnded)).toBe(true)
  })

  it("has the maximum timer value for a very long recording", async () => {
    handle = (_, response) => void response.end("{}")
    expect(await post({ length_s: 86_400.123, limitMs: 86_400_000 })).toBe("{}")
  })

  it("that reads nothing is disconnected immediately when the job is cancelled", async () => {
    handle = () => {}
    const abort = new AbortController()
    const large = wavFile(new Int16Array(10_000_000))
    const running = post({ file: large, signal: abort.signal })
    running.catch(() => {})
    await expect.poll(() => requests).toBe(1)
    abort.abort(new Error("cancelled"))
    await expect(running).rejects.toThrow("cancelled")
  })

  it("that redirects is not followed, and the error names the target", async () => {
    handle = (_, response) => void response.writeHead(307, { location: "https://speech.test/v1/x" }).end()
    await expect(post()).rejects.toThrow(/redirects to https:\/\/speech\.test\/v1\/x \(HTTP 307\).*SERVICE_SPEECH_URL/)
    expect(requests).toBe(1)
  })

  it.each([404, 405, 501])("that lacks an optional endpoint causes the given error (HTTP %i)", async (status) => {
    handle = (_, response) => void response.writeHead(status).end("{}")
    await expect(post({ missingEndpointMessage: "no such endpoint" })).rejects.toThrow("no such endpoint")
    if (status === 404) await expect(post()).rejects.toThrow(/does not have this endpoint or model/)
  })
})
