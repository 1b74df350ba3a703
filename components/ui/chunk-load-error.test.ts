import { afterEach, expect, it, vi } from "vitest"
import { classifyLoadError, isChunkLoadError } from "./chunk-load-error.ts"

const chunkLoadError = (message: string): Error => Object.assign(new Error(message), { name: "ChunkLoadError" })
const stubFetch = (respond: () => Promise<Response>) => {
  const requested: string[] = []
  vi.stubGlobal("fetch", (file: string) => {
    requested.push(file)
    return respond()
  })
  return requested
}
afterEach(() => vi.unstubAllGlobals())

it("distinguishes an updated service from an unreachable one by requesting the missing file", async () => {
  const error = chunkLoadError("Failed to load chunk /_next/static/chunks/0a1b.js from module 4711")
  const requested = stubFetch(async () => new Response(null, { status: 404 }))
  expect(await classifyLoadError(error)).toBe("outdated")
  expect(requested).toEqual(["/_next/static/chunks/0a1b.js"])
  stubFetch(async () => new Response(null, { status: 503 }))
  expect(await classifyLoadError(error)).toBe("unreachable")
  stubFetch(() => Promise.reject(new TypeError("Failed to fetch")))
  expect(await classifyLoadError(error)).toBe("unreachable")
  expect(await classifyLoadError(chunkLoadError("no name"))).toBe("unreachable")
})

it("does not treat an error thrown by a loaded file as a load error", () => {
  const errors = [chunkLoadError("x"), new TypeError("x"), "x"]
  expect(errors.map(isChunkLoadError)).toEqual([true, false, false])
})
