import { afterEach, describe, expect, it, vi } from "vitest"
import { toWordColumns } from "#lib/domain/transcript/word-columns.ts"
import { getClipAddress } from "../api/clip-address.ts"
import { loadChangedClip, loadClip } from "./load-clip.ts"

afterEach(() => vi.unstubAllGlobals())

const transcription = [
  { word: "Bees", start: 0.5, end: 0.9, speaker: "0" },
  { word: "swarm.", start: 0.9, end: 1.4, speaker: "1" },
]
const { signal } = new AbortController()

/** Answers requests of a recording whose columns are `columns`. Returns the addresses that were requested. */
const stubService = (columns: unknown): string[] => {
  const addresses: string[] = []
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    addresses.push(address)
    if (new Headers(init.headers).get("if-none-match") === '"2"') return new Response(null, { status: 304 })
    return Response.json(
      address.endsWith("?fields=transcription") ? { transcription } : { id: "a/b", word_columns: columns },
    )
  })
  return addresses
}

describe("a recording", () => {
  it("is loaded with columns, from the address that the HTML of its page announces", async () => {
    const addresses = stubService(toWordColumns(transcription))
    expect(await loadClip("a/b", signal)).toEqual({ id: "a/b", transcription })
    expect(addresses).toEqual([getClipAddress("a/b")])
    expect(addresses[0]).not.toMatch(/transcription/)
  })
  it("is loaded word by word if columns would change its times", async () => {
    const addresses = stubService(null)
    expect(await loadClip("a/b", signal)).toEqual({ id: "a/b", transcription })
    expect(addresses).toEqual([getClipAddress("a/b"), "/clips/a%2Fb?fields=transcription"])
  })
  it("is loaded again only if it has changed", async () => {
    stubService(toWordColumns(transcription))
    expect(await loadChangedClip("a/b", '"1"', signal)).toEqual({ id: "a/b", transcription })
    expect(await loadChangedClip("a/b", '"2"', signal)).toBeNull()
  })
})
