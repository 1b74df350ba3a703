import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type AudioRequest, postAudio, resolveServer } from "./request.ts"
import { wavFile } from "./wav.ts"

let handle: (request: IncomingMessage, response: ServerResponse) => void
let asks: number
let sockets: Socket[]
let url: string
const server = createServer((request, response) => {
  asks++
  response.on("error", () => undefined)
  handle(request, response)
})
server.on("connection", (socket) => sockets.push(socket))
beforeEach(async () => {
  asks = 0
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

/** A second of sound; `limitMs`: how long the server may take for it, its start of a minute left out. */
const ask = (more: Partial<AudioRequest> & { signal?: AbortSignal; limitMs?: number } = {}) => {
  const { signal = new AbortController().signal, limitMs = 60_000, ...question } = more
  const given = { fields: [], file: wavFile(new Int16Array(16_000)), length_s: 600, ...question }
  return postAudio(resolveServer(url, { apiKey: undefined, timeoutMs: limitMs - 60_000 }), "/x", given, signal)
}

describe("a speech server", () => {
  it("whose answer does not end is left, at 32 MB", async () => {
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
    await expect(ask()).rejects.toMatchObject({ retry: "never", message: expect.stringMatching(/more than 32 MB/) })
    expect(asks).toBe(1)
    expect(sent).toBeLessThan(60 * 2 ** 20)
  })

  it.each([
    ["never answers", () => {}],
    ["begins an answer and falls silent", (response: ServerResponse) => void response.write("{")],
    [
      "drips",
      (response: ServerResponse) => {
        const drip = setInterval(() => (response.destroyed ? clearInterval(drip) : response.write(" ")), 20)
      },
    ],
  ])("that %s is given up when its time is over, and at once when the job is cancelled", async (_, answer) => {
    handle = (request, response) => void request.resume().on("end", () => answer(response))
    await expect(ask({ limitMs: 400 })).rejects.toMatchObject({
      retry: "retry",
      message: expect.stringMatching(/no whole answer within 0 s for 600 s.*SERVICE_SPEECH_TIMEOUT_S/),
    })
    expect(asks).toBe(1)

    const abort = new AbortController()
    const reason = new Error("cancelled")
    const running = ask({ signal: abort.signal })
    running.catch(() => {})
    await expect.poll(() => asks).toBe(2)
    const told = performance.now()
    abort.abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(performance.now() - told).toBeLessThan(2000)
    await expect.poll(() => sockets.every((socket) => socket.destroyed || socket.readableEnded)).toBe(true)
  })

  it("may take for a long recording as long as a timer can run", async () => {
    handle = (_, response) => void response.end("{}")
    expect(await ask({ length_s: 86_400.123, limitMs: 86_400_000 })).toBe("{}")
  })

  it("that reads nothing is left at once when the job is cancelled", async () => {
    handle = () => {}
    const abort = new AbortController()
    const large = wavFile(new Int16Array(10_000_000))
    const running = ask({ file: large, signal: abort.signal })
    running.catch(() => {})
    await expect.poll(() => asks).toBe(1)
    abort.abort(new Error("cancelled"))
    await expect(running).rejects.toThrow("cancelled")
  })

  it("that leads elsewhere is not followed, and where it leads is said", async () => {
    handle = (_, response) => void response.writeHead(307, { location: "https://speech.test/v1/x" }).end()
    await expect(ask()).rejects.toThrow(/leads to https:\/\/speech\.test\/v1\/x \(307\).*SERVICE_SPEECH_URL/)
    expect(asks).toBe(1)
  })

  it.each([404, 405, 501])("that does not know what may be absent (%i) is told so", async (status) => {
    handle = (_, response) => void response.writeHead(status).end("{}")
    await expect(ask({ missingEndpointMessage: "it has none" })).rejects.toThrow("it has none")
    if (status === 404) await expect(ask()).rejects.toThrow(/does not know this address or model/)
  })
})
