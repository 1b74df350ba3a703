import { afterEach, expect, it, vi } from "vitest"
import { classifyLoadError, isChunkLoadError } from "./chunk-load-error.ts"

const unfetched = (message: string): Error => Object.assign(new Error(message), { name: "ChunkLoadError" })
const answering = (answer: () => Promise<Response>) => {
  const asked: string[] = []
  vi.stubGlobal("fetch", (file: string) => {
    asked.push(file)
    return answer()
  })
  return asked
}
afterEach(() => vi.unstubAllGlobals())

it("tells a service that is another version from one that is away, by the file that did not come", async () => {
  const error = unfetched("Failed to load chunk /_next/static/chunks/0a1b.js from module 4711")
  const asked = answering(async () => new Response(null, { status: 404 }))
  expect(await classifyLoadError(error)).toBe("replaced")
  expect(asked).toEqual(["/_next/static/chunks/0a1b.js"])
  answering(async () => new Response(null, { status: 503 }))
  expect(await classifyLoadError(error)).toBe("away")
  answering(() => Promise.reject(new TypeError("Failed to fetch")))
  expect(await classifyLoadError(error)).toBe("away")
  expect(await classifyLoadError(unfetched("no name"))).toBe("away")
})

it("takes no fault of a part itself for one that did not come", () => {
  expect([isChunkLoadError(unfetched("x")), isChunkLoadError(new TypeError("x")), isChunkLoadError("x")]).toEqual([
    true,
    false,
    false,
  ])
})
