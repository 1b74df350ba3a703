import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { divideIntoParts, splitIntoParts } from "./parts.ts"

async function* blocksOf(samples: number, block: number): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples; at += block)
    yield Int16Array.from({ length: Math.min(block, samples - at) }, (_, i) => (at + i) % 30_000)
}

const cut = async (samples: number, shape: { block: number; maxLength: number; more?: number }) => {
  const layout = divideIntoParts(samples, shape.maxLength)
  const output: { part: number; pcm: Int16Array }[] = []
  for await (const entry of splitIntoParts(blocksOf(samples + (shape.more ?? 0), shape.block), layout))
    output.push(entry)
  return { ...layout, output }
}

describe("splitIntoParts", () => {
  it("keeps every sample of any recording, in nonempty blocks", async () => {
    const lengths = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 15 }))
    const shapes = fc.record({ block: fc.integer({ min: 1, max: 70 }), maxLength: fc.integer({ min: 1, max: 200 }) })
    await fc.assert(
      fc.asyncProperty(lengths, shapes, async ([times, residue], shape) => {
        const samples = 16 * times + residue
        const { parts, length, output } = await cut(samples, shape)
        expect(length).toBeLessThanOrEqual(Math.max(shape.maxLength, 1))
        expect(output.every(({ pcm }) => pcm.length > 0)).toBe(true)
        expect(output.flatMap(({ pcm }) => [...pcm])).toEqual(Array.from({ length: samples }, (_, i) => i))
        const seen = output.map(({ part }) => part)
        expect(seen).toEqual([...seen].sort((a, b) => a - b))
        for (const { part } of output) expect(part).toBeLessThan(parts)
        for (let part = 0; part < parts; part++) {
          const found = output.filter((p) => p.part === part).reduce((sum, { pcm }) => sum + pcm.length, 0)
          expect(found).toBe(Math.max(0, Math.min(samples - part * length, length)))
        }
      }),
      { numRuns: 300 },
    )
  })

  it("puts samples beyond the expected length into the last part", async () => {
    const { parts, output } = await cut(100, { block: 7, maxLength: 30, more: 50 })
    expect(output.reduce((sum, { pcm }) => sum + pcm.length, 0)).toBe(150)
    expect(output.at(-1)?.part).toBe(parts - 1)
  })
})
