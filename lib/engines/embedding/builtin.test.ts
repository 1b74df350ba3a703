import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { BUILTIN_DIMENSIONS } from "../../domain/text/hash-embedding.ts"
import { createBuiltinEmbedder } from "./builtin.ts"

const embedder = createBuiltinEmbedder()
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0)
const one = async (text: string, kind: "document" | "query" = "document"): Promise<Float32Array> =>
  (await embedder.embed([text], kind))[0]!

const TOPICS = [
  "Rocket Engine and Launch Orbit. The engine burned methane and oxygen, and the booster landed after the launch into orbit.",
  "Tomatoes and Compost. We water the tomatoes in the greenhouse and add compost to the beds.",
  "Database Migration. Engineers copied the customer records to the new server and checked every index.",
]

describe("builtin embedder", () => {
  it("returns the same unit vector for the same text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
        const [a, b] = await embedder.embed([text, text], "document")
        expect(a).toHaveLength(BUILTIN_DIMENSIONS)
        expect(cosine(a!, a!)).toBeCloseTo(1, 4)
        expect(a).toEqual(b)
      }),
      { numRuns: 60 },
    )
  })
  it("matches inflected words of a query", async () => {
    const query = await one("launching rockets to orbit", "query")
    const documents = await embedder.embed(TOPICS, "document")
    const [first, ...rest] = documents.map((d) => cosine(query, d))
    expect(first).toBeGreaterThan(0.4)
    for (const other of rest) expect(other).toBeLessThan(0.2)
  })
  it("separates different subjects and groups the same subject", async () => {
    const [rocket, garden, database] = await embedder.embed(TOPICS, "document")
    expect(Math.max(cosine(rocket!, garden!), cosine(rocket!, database!), cosine(garden!, database!))).toBeLessThan(0.3)
    const again = await one(
      "Booster Landing. The booster of the rocket landed with its engines firing after reaching orbit.",
    )
    expect(cosine(rocket!, again)).toBeGreaterThan(0.5)
  })
  it("stops if aborted", async () => {
    await expect(embedder.embed(["a"], "query", AbortSignal.abort())).rejects.toThrow()
  })
})
