import { rmSync, writeFileSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { HASHING_MODEL } from "../../domain/text/hash-embedding.ts"
import type { Embedder } from "../../engines/language/types.ts"
import { wordsOf } from "../../storage/stores/testing/fixtures.ts"
import { indexClips } from "../documents/index-clips.ts"
import { hasOutdatedDocuments, indexLibrary } from "../documents/index-documents.ts"
import { ingest } from "../documents/ingest.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { countTextsToEmbed, finishChange, requestChange } from "./embedder-change.ts"
import { getPendingChange } from "./pending-change.ts"

const signal = new AbortController().signal
const embed = vi.fn<Embedder["embed"]>(async (texts) => texts.map((text) => Float32Array.of(1, text.length)))

const next: Embedder = { name: "onnx/next", isLexical: false, embed }

let node: TestNode
let deps: TestNode
beforeEach(async () => {
  embed.mockClear()
  node = await openTestNode()
  await node.store.installation.setChoice("embedder", { value: "builtin", reason: "test" })
  deps = { ...node, engines: { ...node.engines, findEmbedder: async () => next } }
  await node.addClip("a", { words: wordsOf("bees dance ".repeat(300).trim()) })
  await node.addClip("b", { words: wordsOf("tides turn ".repeat(300).trim()) })
})
afterEach(() => node.end())

const choiceOf = async (kind: string) =>
  (await node.store.installation.listChoices()).find((choice) => choice.kind === kind)?.value
const embedded = () => embed.mock.calls.flatMap(([texts]) => texts)

describe("finishChange", () => {
  it("embeds every text once, keeps the old embedder until then, and tells how far it is", async () => {
    const total = await countTextsToEmbed(deps, next)
    expect(total).toBeGreaterThan(10)
    await requestChange(node.store, "next", total)
    const used: (string | undefined)[] = []
    embed.mockImplementation(async (texts) => {
      used.push(await choiceOf("embedder"))
      return texts.map((text) => Float32Array.of(1, text.length))
    })
    const progress: string[] = []
    expect(await finishChange(deps, signal, ({ done, total: all }) => progress.push(`${done}/${all}`))).toBe(true)
    expect(new Set(used)).toEqual(new Set(["builtin"]))
    expect(progress.at(-1)).toBe(`${total}/${total}`)
    expect(embedded()).toHaveLength(total)
    expect([await choiceOf("embedder"), await choiceOf("next_embedder")]).toEqual(["next", undefined])
    expect(await countTextsToEmbed(deps, next)).toBe(0)
  })

  it("leaves nothing to embed for the index of the clips", async () => {
    await requestChange(node.store, "next", 1)
    await finishChange(deps, signal)
    embed.mockClear()
    await indexClips(node, next, signal)
    expect(embedded()).toEqual([])
    expect(await node.index.listClipsWithoutChunks(next.name)).toEqual([])
  })

  it("embeds the stored chunks of documents, which are not ingested again", async () => {
    const path = node.at("notes.md")
    writeFileSync(path, "# Hives\n\nThe bees sleep in winter.")
    await ingest(node, { paths: [path], prune: false }, { signal })
    expect(await node.index.listFilesOfOtherModels(HASHING_MODEL)).toEqual([])
    rmSync(path)
    const total = await countTextsToEmbed(deps, next)
    await requestChange(node.store, "next", total)
    await finishChange(deps, signal)
    expect(embedded()).toContainEqual(expect.stringMatching(/Hives\n+The bees sleep in winter\./))
    expect(embedded()).toHaveLength(total)
    embed.mockClear()
    await indexLibrary(node, next, signal)
    expect(embedded()).toEqual([])
    expect(await node.index.listFilesOfOtherModels(next.name)).toEqual([])
    expect(await hasOutdatedDocuments(deps)).toBe(false)
    expect(
      (await node.index.searchVectors(next.name, Float32Array.of(1, 1), { scope: "documents", limit: 9 })).length,
    ).toBe(1)

    writeFileSync(path, "# Hives\n\nThe bees sleep in winter.")
    const engines = { ...node.engines, getEmbedder: async () => next }
    const again = await ingest({ ...node, engines }, { paths: [path], prune: false }, { signal })
    expect(again).toMatchObject({ unchanged: 1 })
  })

  it("continues an interrupted change", async () => {
    const total = await countTextsToEmbed(deps, next)
    await requestChange(node.store, "next", total)
    const stop = new AbortController()
    await expect(finishChange(deps, stop.signal, () => stop.abort(new Error("stopped")))).rejects.toThrow("stopped")
    const before = embedded().length
    expect([before > 0, before < total]).toEqual([true, true])
    expect((await getPendingChange(node.store))?.reason).toBe(`${before} of ${total} texts are embedded`)
    await finishChange(deps, signal)
    expect(embedded()).toHaveLength(total)
  })

  it("ends without a change if the request is withdrawn", async () => {
    await requestChange(node.store, "next", 1)
    embed.mockImplementationOnce(async (texts) => {
      await node.store.installation.setChoice("next_embedder", null)
      return texts.map(() => Float32Array.of(1, 1))
    })
    expect(await finishChange(deps, signal)).toBe(false)
    expect(await choiceOf("embedder")).toBe("builtin")
    expect(await finishChange(deps, signal)).toBe(false)
  })

  it("keeps the old embedder if the new one fails", async () => {
    await requestChange(node.store, "next", 1)
    embed.mockRejectedValueOnce(new Error("damaged"))
    await expect(finishChange(deps, signal)).rejects.toThrow("damaged")
    expect([await choiceOf("embedder"), await choiceOf("next_embedder")]).toEqual(["builtin", "next"])
  })
})
