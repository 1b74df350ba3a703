import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Chunk, cutAtPauses } from "./chunks.ts"
import { SAMPLE_RATE } from "./decode.ts"

async function* inBlocks(pcm: Int16Array, size: number): AsyncGenerator<Int16Array> {
  for (let i = 0; i < pcm.length; i += size) yield pcm.subarray(i, i + size)
}

const cut = async (pcm: Int16Array, limits: { min_s: number; max_s: number }, block = 4096): Promise<Chunk[]> => {
  const chunks: Chunk[] = []
  for await (const chunk of cutAtPauses(inBlocks(pcm, block), limits)) chunks.push(chunk)
  return chunks
}

/** Returns reproducible noise with the given amplitude. */
const noise = (seconds: number, level: number): Int16Array => {
  let seed = 1
  return Int16Array.from({ length: Math.round(seconds * SAMPLE_RATE) }, () => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return ((seed >>> 16) / 65536 - 0.5) * 2 * level
  })
}

const joined = (...parts: Int16Array[]): Int16Array => {
  const whole = new Int16Array(parts.reduce((n, p) => n + p.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const asBytes = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)

describe("cutAtPauses", () => {
  it("keeps every sample once, with correct offsets and within the limits, for any block size", async () => {
    const sound = noise(9, 9000)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: sound.length }),
        fc.integer({ min: 1000, max: 3 * SAMPLE_RATE }),
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        fc.double({ min: 1.4, max: 3, noNaN: true }),
        async (length, block, min_s, max_s) => {
          const pcm = sound.subarray(0, length)
          const chunks = await cut(pcm, { min_s, max_s }, block)
          let at = 0
          for (const [i, chunk] of chunks.entries()) {
            expect(chunk.offset).toBe(at)
            at += chunk.pcm.length
            expect(chunk.pcm.length).toBeLessThanOrEqual(Math.round(max_s * SAMPLE_RATE))
            if (i < chunks.length - 1) expect(chunk.pcm.length / SAMPLE_RATE).toBeGreaterThan(min_s - 0.02)
          }
          expect(Buffer.compare(asBytes(joined(...chunks.map((c) => c.pcm))), asBytes(pcm))).toBe(0)
        },
      ),
      { numRuns: 40 },
    )
  })

  it("cuts within the pause", async () => {
    const pcm = joined(noise(6, 8000), noise(0.5, 20), noise(6, 8000))
    const [first] = await cut(pcm, { min_s: 3, max_s: 10 })
    expect(first!.pcm.length / SAMPLE_RATE).toBeGreaterThan(6)
    expect(first!.pcm.length / SAMPLE_RATE).toBeLessThan(6.5)
  })

  it("prefers the quieter of two pauses", async () => {
    const pcm = joined(noise(4, 8000), noise(0.5, 300), noise(2, 8000), noise(0.5, 10), noise(9, 8000))
    const [first] = await cut(pcm, { min_s: 3, max_s: 10 })
    expect(first!.pcm.length / SAMPLE_RATE).toBeGreaterThan(6.5)
    expect(first!.pcm.length / SAMPLE_RATE).toBeLessThan(7)
  })

  it("marks silent chunks", async () => {
    const silent = (await cut(noise(5, 10), { min_s: 1, max_s: 2 })).map((c) => c.silent)
    expect(silent.length).toBeGreaterThan(2)
    expect(silent.every(Boolean)).toBe(true)
    expect((await cut(noise(1, 300), { min_s: 1, max_s: 2 })).map((c) => c.silent)).toEqual([false])
  })

  it("returns no chunks for no samples", async () => {
    expect(await cut(new Int16Array(0), { min_s: 1, max_s: 2 })).toEqual([])
  })
})
