// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { keepChunk, listKept, lockName, readKept, removeKept } from "./kept-recordings.ts"
import { hasKept } from "./recorder-store.ts"

/** The names of the locks that pages hold. */
let held: string[]

beforeEach(() => {
  held = []
  localStorage.clear()
  const stored = new Map<string, Response>()
  const key = (request: string | { url: string }) =>
    new URL(typeof request === "string" ? request : request.url, "http://x")
  const cache = {
    put: async (path: string, response: Response) => void stored.set(key(path).href, response),
    keys: async () => [...stored.keys()].map((url) => ({ url })),
    match: async (request: { url: string }) => stored.get(key(request).href)?.clone(),
    delete: async (request: { url: string }) => stored.delete(key(request).href),
  }
  vi.stubGlobal("caches", { open: async () => cache })
  vi.stubGlobal("navigator", { locks: { query: async () => ({ held: held.map((name) => ({ name })) }) } })
})
afterEach(() => void vi.unstubAllGlobals())

const keep = (id: string, position: number, text: string, startedAt = 1_700_000_000_000) =>
  keepChunk({
    id,
    startedAt,
    duration_s: (position + 1) * 3,
    type: "audio/webm;codecs=opus",
    position,
    sound: new Blob([text]),
  })

describe("recordings that a browser keeps", () => {
  it("are put together in the order of their parts", async () => {
    for (const position of [0, 10, 2, 1]) await keep("a", position, `<${position}>`)
    const [recording] = await listKept()
    expect(recording).toEqual({
      id: "a",
      startedAt: 1_700_000_000_000,
      duration_s: 33,
      type: "audio/webm;codecs=opus",
    })
    const file = (await readKept(recording!))!
    expect([file.name, file.type]).toEqual(["recording-2023-11-14T22-13-20.webm", "audio/webm"])
    expect(await file.text()).toBe("<0><1><2><10>")
  })
  it("are listed oldest first, without those that another page is making", async () => {
    await keep("new", 0, "x", 3000)
    await keep("old", 0, "x", 1000)
    await keep("running", 0, "x", 2000)
    held = [lockName("running")]
    expect((await listKept()).map(({ id }) => id)).toEqual(["old", "new"])
  })
  it("are remembered until the last one is removed", async () => {
    expect(hasKept()).toBe(false)
    await keep("a", 0, "x")
    await keep("ab", 0, "x")
    await removeKept("a")
    expect([hasKept(), (await listKept()).map(({ id }) => id)]).toEqual([true, ["ab"]])
    await removeKept("ab")
    expect([hasKept(), await listKept()]).toEqual([false, []])
    expect(await readKept({ id: "a", startedAt: 0, duration_s: 1, type: "audio/ogg" })).toBeNull()
  })
})
