import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { splitDocument as listChunks, type SplitOptions } from "./split.ts"
import type { Extracted } from "./types.ts"

const splitDocument = (document: Extracted, options: SplitOptions) => [...listChunks(document, options)]

const sizes = { chunkSize: 100, chunkOverlap: 30 }
const sentence = (n: number) => `Sentence number ${n} is here.`

describe("splitDocument", () => {
  it("ends chunks at sentences and repeats whole sentences within the limits", () => {
    const text = Array.from({ length: 20 }, (_, i) => sentence(i)).join(" ")
    const chunks = splitDocument({ sections: [{ text }] }, sizes)
    for (const { text } of chunks) {
      expect(text.length).toBeLessThanOrEqual(100)
      expect(text).toMatch(/^Sentence.*here\.$/)
    }
    expect(chunks[1]!.text.startsWith(chunks[0]!.text.slice(-sentence(2).length))).toBe(true)
  })
  it("begins a chunk at a heading or page, and keeps the start of the first and the end of the last cue", () => {
    const long = `${sentence(1)} ${sentence(2)}`
    const chunks = splitDocument(
      {
        title: "T",
        sections: [
          { text: long, heading: "A" },
          { text: long, heading: "B", page: undefined as never },
          { text: "x", page: 2 },
        ],
      },
      sizes,
    )
    expect(chunks.map((c) => [c.metadata.heading, c.metadata.page])).toEqual([
      ["A", undefined],
      ["B", undefined],
      [undefined, 2],
    ])
    const cues = splitDocument(
      { sections: [1, 2, 3].map((n) => ({ text: `cue ${n}`, start_s: n, end_s: n + 1, lines: true })) },
      sizes,
    )
    expect(cues.map((c) => c.metadata)).toEqual([{ start_s: 1, end_s: 4 }])
  })
  it("keeps pages apart, also if both fit into a chunk under the same heading", () => {
    const sections = [1, 1, 2].map((page, i) => ({ text: `Part ${i}.`, heading: "A", page }))
    const chunks = splitDocument({ sections }, sizes)
    expect(chunks.map(({ text, metadata }) => [text, metadata.page])).toEqual([
      ["Part 0.\n\nPart 1.", 1],
      ["Part 2.", 2],
    ])
  })
  it("adds title and heading as context", () => {
    const [chunk] = splitDocument({ title: "Bees", sections: [{ text: "They dance.", heading: "Food" }] }, sizes)
    expect(chunk).toEqual({ text: "They dance.", context: "Bees\nFood", metadata: { title: "Bees", heading: "Food" } })
  })
  it("keeps all text within the limits, for any text and sizes", () => {
    const texts = fc.array(fc.constantFrom("word", "longer", ".", "\n\n", " ", "e.g.", "x".repeat(150), "🎧", "。"), {
      maxLength: 120,
    })
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 10, max: 120 }),
        fc.constantFrom(0, 0, 5, 60),
        (parts, chunkSize, chunkOverlap) => {
          const text = parts.join(" ")
          const chunks = splitDocument(
            { sections: [{ text }] },
            { chunkSize, chunkOverlap: Math.min(chunkOverlap, chunkSize >> 1) },
          )
          for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(chunkSize)
          const bare = (t: string) => t.replace(/\s+/g, "")
          if (chunkOverlap === 0) expect(bare(chunks.map((c) => c.text).join(""))).toBe(bare(text))
          else for (const chunk of chunks) expect(text).toContain(chunk.text)
        },
      ),
    )
  })
})
