import { beforeEach, describe, expect, it } from "vitest"
import { createMemoryIndex } from "../../storage/stores/memory/document-index.ts"
import type { DocumentIndex } from "../../storage/stores/ports/documents.ts"
import { loadCoverageTest } from "./coverage.ts"

let index: DocumentIndex
beforeEach(async () => {
  index = createMemoryIndex()
  await index.put({
    id: "d",
    kind: "file",
    source: "/d.txt",
    fingerprint: "f",
    embedModel: "none",
    chunks: ["bees make honey", "honey keeps for years", "comets melt"].map((text) => ({
      text,
      context: "",
      metadata: {},
      vector: Float32Array.of(1),
    })),
  })
})

const isCovered = async (question: string, ...texts: string[]) =>
  (await loadCoverageTest(index, question, { scope: "documents" }))(texts)

describe("the coverage of a question", () => {
  it("needs half of the weight of its words", async () => {
    // None of these words occurs in the documents, so all weigh the same.
    expect(await isCovered("zebra giraffe lion", "a zebra")).toBe(false)
    expect(await isCovered("zebra giraffe", "a zebra")).toBe(true)
    expect(await isCovered("zebra giraffe lion", "a zebra", "two lions")).toBe(true)
  })

  it("weighs rare words more", async () => {
    expect(await isCovered("honey comets", "honey")).toBe(false)
    expect(await isCovered("honey comets", "a comet")).toBe(true)
    expect(await isCovered("bees in honey on Saturn", "bees make honey")).toBe(true)
    expect(await isCovered("bees on Saturn", "bees make honey")).toBe(false)
  })

  it("counts other forms of a word, and ignores stop words", async () => {
    expect(await isCovered("does it melt?", "melting")).toBe(true)
    expect(await isCovered("what is the honey of the bees", "what is the of")).toBe(false)
  })

  it("is missing without texts or words", async () => {
    expect(await isCovered("zebra")).toBe(false)
    expect(await isCovered("?!", "zebra")).toBe(false)
  })
})
