import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import type { Embedder } from "../../engines/language/types.ts"
import { wordsOf } from "../../storage/stores/testing/fixtures.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { loadModelVectors } from "./model-vectors.ts"

const MODEL = "space"
const unit = (...values: number[]) => Float32Array.from(values, (x) => x / Math.hypot(...values))
/** Every title and summary means the third axis. */
const embed = vi.fn<Embedder["embed"]>(async (texts) => texts.map(() => Float32Array.of(0, 0, 1)))
const embedder: Embedder = { name: MODEL, isLexical: false, embed }

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())
beforeEach(async () => {
  embed.mockClear()
  await node.store.clips.delete("a")
  // Topics: 1 from 0 to 100 s, 1.1 to 60 s, 1.1.1 to 20 s, 1.1.2 from 20 to 60 s, 1.2 from 60 s.
  await node.addClip("a", { words: wordsOf("bee ".repeat(50) + "tide ".repeat(49).trim()) })
  await putChunks({ start_s: 0, end_s: 50, vector: unit(1, 0, 0) }, { start_s: 50, end_s: 70, vector: unit(0, 1, 0) })
})

const putChunks = (...chunks: { start_s: number; end_s: number; vector: Float32Array }[]) =>
  node.index.put({
    id: "d",
    kind: "clip",
    source: "a",
    fingerprint: "",
    embedModel: MODEL,
    chunks: chunks.map(({ vector, ...times }) => ({
      text: "spoken",
      context: "",
      metadata: { title: "Clip a", ...times },
      vector,
    })),
  })
const load = async (previous: Awaited<ReturnType<typeof loadModelVectors>> | null = null) => {
  const snapshot = await node.store.map.getSnapshot()
  const loaded = await loadModelVectors(node, embedder, snapshot, previous)
  const byNumber = snapshot.topics.map(({ number }, i) => [number, loaded.vectors.get(loaded.keys[i]!)!] as const)
  return { loaded, vectors: new Map(byNumber) }
}
/** Expects the direction of text plus speech, in which a chunk counts by the seconds that it shares with the topic. */
const expectVector = (vector: Float32Array | undefined, speech: Float32Array) => {
  const expected = unit(speech[0]!, speech[1]!, speech[2]! + 1)
  expect([...vector!]).toEqual([...expected].map((x) => expect.closeTo(x, 5)))
}

describe("loadModelVectors", () => {
  it("adds to the vector of a text that of the chunks, by the time that is spoken in the topic", async () => {
    const { vectors, loaded } = await load()
    expectVector(vectors.get("1"), unit(50, 20, 0))
    expectVector(vectors.get("1.1"), unit(50, 10, 0))
    expectVector(vectors.get("1.1.1"), unit(1, 0, 0))
    expectVector(vectors.get("1.1.2"), unit(30, 10, 0))
    expectVector(vectors.get("1.2"), unit(0, 1, 0))
    expect(loaded).toMatchObject({ model: MODEL, space: null })
    expect(embed.mock.calls.map(([texts, kind]) => [texts.length, kind])).toEqual([[5, "document"]])
  })

  it("uses the vector of the text alone without chunks in a topic", async () => {
    await putChunks({ start_s: 0, end_s: 20, vector: unit(1, 0, 0) })
    const { vectors } = await load()
    expectVector(vectors.get("1.1"), unit(1, 0, 0))
    expect([...vectors.get("1.1.2")!]).toEqual([0, 0, 1])
    expect([...vectors.get("1.2")!]).toEqual([0, 0, 1])
  })

  it("stores what it computes, and computes only what is missing", async () => {
    const first = await load()
    const getClipChunks = vi.spyOn(node.index, "getClipChunks")
    expect((await load()).vectors).toEqual(first.vectors)
    expect(getClipChunks).not.toHaveBeenCalled()
    expect(embed).toHaveBeenCalledOnce()
    await node.store.topics.edit("a", "1.2", { title: "Renamed" })
    const edited = await load(first.loaded)
    expect(embed.mock.calls.at(-1)![0]).toEqual(["Renamed. About a two."])
    for (const number of ["1", "1.1"]) expect(edited.vectors.get(number)).toBe(first.vectors.get(number))
    getClipChunks.mockRestore()
  })
})
