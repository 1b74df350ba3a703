import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { Readable } from "node:stream"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { BlobStore } from "../types.ts"
import { DEFAULT_LIMITS, MAX_ATTEMPTS } from "./client.ts"
import { openS3 } from "./index.ts"

const KEY = `${"a".repeat(64)}.wav`
const { signal } = new AbortController()
const sockets = new Set<Socket>()
let connections = 0
const server = createServer((socket) => {
  connections++
  sockets.add(socket)
  socket.on("error", () => undefined).resume()
})
const before = { ...process.env }
let blobs: BlobStore

beforeAll(async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const place = { kind: "s3", bucket: "talks", prefix: "", endpoint, region: undefined, pathStyle: true } as const
  blobs = await openS3(place, { idleTimeoutMs: 200 })
})
afterAll(async () => {
  blobs.close()
  for (const socket of sockets) socket.destroy()
  process.env = before
  await new Promise((resolve) => server.close(resolve))
})

const calls: [string, () => Promise<unknown>][] = [
  ["uploading", () => blobs.receive(Readable.from([Buffer.from("sound")]), { maxBytes: 9 })],
  ["playing", () => blobs.open(KEY)],
  ["downloading", () => blobs.file(KEY, { dir: "/nonexistent", signal })],
  ["removing", () => blobs.remove(KEY)],
]

it.each(calls)("fails %s after three timeouts if the bucket accepts connections but never answers", async (_, call) => {
  connections = 0
  await expect(call()).rejects.toMatchObject({
    code: "unavailable",
    retry: "later",
    message: expect.stringMatching(/s3:\/\/talks\/ at 127\.0\.0\.1:\d+ does not answer/),
  })
  expect(connections).toBe(MAX_ATTEMPTS)
})

it("limits the total wait to 30 s", () => {
  // The AWS client starts its idle timer with this delay.
  const timerDelayMs = 3_000
  expect((DEFAULT_LIMITS.idleTimeoutMs + timerDelayMs) * MAX_ATTEMPTS).toBeLessThan(30_000)
})
