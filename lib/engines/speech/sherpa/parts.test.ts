import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { divideIntoParts, splitIntoParts } from "./parts.ts"

async function* blocksOf(samples: number, block: number): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples; at += block)
    yield Int16Array.from({ length: Math.min(block, samples - at) }, (_, i) => (at + i) % 30_000)
}

const cut = async (samples: number, given: { block: number; most: number; more?: number }) => {
  const borders = divideIntoParts(samples, given.most)
  const pieces: { part: number; pcm: Int16Array }[] = []
  for await (const piece of splitIntoParts(blocksOf(samples + (given.more ?? 0), given.block), borders))
    pieces.push(piece)
  return { ...borders, pieces }
}

describe("a recording in parts", () => {
  it("of every length, in one part or many, goes through whole, in pieces that hold something", async () => {
    const lengths = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 15 }))
    const shapes = fc.record({ block: fc.integer({ min: 1, max: 70 }), most: fc.integer({ min: 1, max: 200 }) })
    await fc.assert(
      fc.asyncProperty(lengths, shapes, async ([times, residue], shape) => {
        const samples = 16 * times + residue
        const { parts, length, pieces } = await cut(samples, shape)
        expect(length).toBeLessThanOrEqual(Math.max(shape.most, 1))
        expect(pieces.every(({ pcm }) => pcm.length > 0)).toBe(true)
        expect(pieces.flatMap(({ pcm }) => [...pcm])).toEqual(Array.from({ length: samples }, (_, i) => i))
        const seen = pieces.map(({ part }) => part)
        expect(seen).toEqual([...seen].sort((a, b) => a - b))
        for (const { part } of pieces) expect(part).toBeLessThan(parts)
        for (let part = 0; part < parts; part++) {
          const found = pieces.filter((p) => p.part === part).reduce((sum, { pcm }) => sum + pcm.length, 0)
          expect(found).toBe(Math.max(0, Math.min(samples - part * length, length)))
        }
      }),
      { numRuns: 300 },
    )
  })

  it("that is longer than it was has its end in the last part", async () => {
    const { parts, pieces } = await cut(100, { block: 7, most: 30, more: 50 })
    expect(pieces.reduce((sum, { pcm }) => sum + pcm.length, 0)).toBe(150)
    expect(pieces.at(-1)?.part).toBe(parts - 1)
  })
})
