import { expect, it, vi } from "vitest"
import { sha256 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import { embedAndStore, embedUnlessStored, findMissing } from "./stored-vectors.ts"

const signal = new AbortController().signal

/** Returns a store of vectors, and an embedder whose vectors are the lengths of the texts. */
const setup = (stored: Record<string, number> = {}) => {
  const vectors = new Map(Object.entries(stored).map(([hash, length]) => [hash, Float32Array.of(length)]))
  const put: string[][] = []
  const store = {
    map: {
      getVectors: vi.fn(
        async (_model: string, hashes: readonly string[]) =>
          new Map([...vectors].filter(([hash]) => hashes.includes(hash))),
      ),
      putVectors: vi.fn(async (_model: string, rows: readonly { hash: string; vector: Float32Array }[]) => {
        put.push(rows.map(({ hash, vector }) => `${hash}=${vector[0]}`))
      }),
    },
  } as unknown as Parameters<typeof embedAndStore>[0]
  const embed = vi.fn<Embedder["embed"]>(async (texts) => texts.map((text) => Float32Array.of(text.length)))
  return { store, embed, put, embedder: { name: "m", isLexical: false, embed } as Embedder }
}

const textsOf = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`h${i}`, "x".repeat(i)]))

it("finds the texts without a stored vector of the model", async () => {
  const { store } = setup({ h1: 1 })
  expect([...(await findMissing(store, "m", textsOf(3))).keys()]).toEqual(["h0", "h2"])
  expect(store.map.getVectors).toHaveBeenCalledWith("m", ["h0", "h1", "h2"])
})

it("embeds 32 texts at a time as documents, stores each with its own vector, and reports after each batch", async () => {
  const { store, embed, put, embedder } = setup()
  const reported: number[] = []
  await embedAndStore(store, embedder, textsOf(65), signal, async (texts) => void reported.push(texts))
  expect(reported).toEqual([32, 32, 1])
  expect(embed.mock.calls.map(([texts, kind]) => [texts.length, kind])).toEqual([
    [32, "document"],
    [32, "document"],
    [1, "document"],
  ])
  expect(put.flat()).toEqual(Array.from({ length: 65 }, (_, i) => `h${i}=${i}`))
})

it("stores what it has embedded before it stops", async () => {
  const { store, put, embedder } = setup()
  const stop = new AbortController()
  const embedding = embedAndStore(store, embedder, textsOf(40), stop.signal, async () => stop.abort(new Error("stop")))
  await expect(embedding).rejects.toThrow("stop")
  expect(put.map((rows) => rows.length)).toEqual([32])
})

it("returns the vectors of texts in order, of which only the missing ones are computed", async () => {
  const { store, embed, embedder } = setup({ [sha256("bb")]: 200, [sha256("dddd")]: 400 })
  const vectors = await embedUnlessStored(store, embedder, ["a", "bb", "ccc", "dddd", "eeeee"], signal)
  expect(vectors.map(([x]) => x)).toEqual([1, 200, 3, 400, 5])
  expect(embed.mock.calls.map(([texts, kind]) => [texts, kind])).toEqual([[["a", "ccc", "eeeee"], "document"]])
})

it("computes nothing if every vector is stored", async () => {
  const { store, embed, embedder } = setup({ [sha256("bb")]: 200 })
  expect(await embedUnlessStored(store, embedder, ["bb"], signal)).toEqual([Float32Array.of(200)])
  expect(embed).not.toHaveBeenCalled()
})
