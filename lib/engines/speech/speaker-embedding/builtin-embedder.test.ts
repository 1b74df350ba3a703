import { describe, expect, it } from "vitest"
import { toUnitLength } from "../../../domain/people/recognize.ts"
import { createBuiltinEmbedder } from "./builtin-embedder.ts"
import { createFft } from "./spectrum.ts"

const RATE = 16_000
const signal = new AbortController().signal

/** Returns seconds of a buzz with a pitch that is filtered by resonances, like vowels, with pauses and noise like consonants. */
const speech = (pitch: number, formants: readonly number[], seconds: number, seed: number): Int16Array => {
  let state = seed
  const noise = () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
  const samples = new Float64Array(seconds * RATE)
  for (let i = 0, phase = 0; i < samples.length; i++) {
    phase += (pitch * (1 + 0.1 * Math.sin(i / 9000))) / RATE
    const isVoiced = i % 4800 < 3600
    let value = isVoiced ? ((phase % 1) - 0.5) * 0.5 : noise() * 0.1
    if (i % 24_000 > 21_000) value = 0
    samples[i] = value + noise() * 0.001
  }
  for (const [k, formant] of formants.entries()) {
    let [a, b] = [0, 0]
    for (let i = 0; i < samples.length; i++) {
      const center = formant * (1 + 0.15 * Math.sin(i / (7000 + 1000 * k)))
      const next = samples[i]! + 1.8 * Math.cos((2 * Math.PI * center) / RATE) * a - 0.81 * b
      ;[b, a] = [a, next]
      samples[i] = next * 0.3
    }
  }
  const peak = samples.reduce((max, x) => Math.max(max, Math.abs(x)), 0)
  return Int16Array.from(samples, (x) => (x / peak) * 20_000)
}
const embed = async (pcm: Int16Array) => toUnitLength((await createBuiltinEmbedder().embed(pcm, signal))!)
const similarity = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0)

describe("the builtin embedder", () => {
  it("finds one voice more similar to itself, in other seconds, than to another one", async () => {
    const low = [speech(110, [500, 1500], 6, 1), speech(110, [500, 1500], 6, 2)] as const
    const high = speech(220, [800, 2400], 6, 3)
    const [a, b, c] = [await embed(low[0]), await embed(low[1]), await embed(high)]
    expect(similarity(a, b)).toBeGreaterThan(0.95)
    expect(similarity(a, c)).toBeLessThan(0.8)
  })
  it("does not depend on the volume", async () => {
    const pcm = speech(150, [600, 1700], 4, 1)
    const quiet = pcm.map((x) => x / 4)
    expect(similarity(await embed(pcm), await embed(quiet))).toBeGreaterThan(0.95)
  })
  it("returns null for silence and for less than two seconds of speech", async () => {
    const embedder = createBuiltinEmbedder()
    expect(await embedder.embed(speech(110, [500], 1, 1), signal)).toBeNull()
    expect(await embedder.embed(new Int16Array(0), signal)).toBeNull()
  })
  it("stops when the job is cancelled", async () => {
    const pcm = speech(110, [500], 8, 1)
    await expect(createBuiltinEmbedder().embed(pcm, AbortSignal.abort(new Error("cancelled")))).rejects.toThrow(
      "cancelled",
    )
  })
})

it("transforms a cosine into its bin", () => {
  const [re, im] = [
    Float64Array.from({ length: 16 }, (_, i) => Math.cos((2 * Math.PI * 3 * i) / 16)),
    new Float64Array(16),
  ]
  createFft(16)(re, im)
  const magnitudes = [...re].map((x, i) => Math.hypot(x, im[i]!))
  expect(magnitudes.map((x) => Math.round(x))).toEqual([0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0])
})
