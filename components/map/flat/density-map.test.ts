import { describe, expect, it } from "vitest"
import { computeDensity, hazeShare, paintHaze } from "./density-map.ts"

const RED = [200, 0, 0, 255]
const BLUE = [0, 0, 200, 255]
const DIMMED = [0, 0, 200, 0]
const density = (positions: number[], colors: number[][], weight = 1) =>
  computeDensity({
    positions: Float32Array.from(positions),
    sample: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
    colors: Uint8Array.from(colors.flat()),
    kernel: 2,
    weight,
  })
type Map = ReturnType<typeof density>
const texelAt = ({ width, left, top, texel, sums }: Map, x: number, y: number): number[] => {
  const k = 4 * (Math.floor((top - y) / texel) * width + Math.floor((x - left) / texel))
  return [...sums.subarray(k, k + 4)]
}

describe("computeDensity", () => {
  it("adds a kernel that is largest at its point and zero at its radius", () => {
    const map = density([5, 1, 0], [RED])
    const [middle, half, edge] = [5.01, 6, 6.95].map((x) => texelAt(map, x, 1)[3]!)
    expect(middle).toBeGreaterThan(0.97)
    // (1 - 0.5²)²
    expect(half).toBeGreaterThan(0.45)
    expect(half).toBeLessThan(0.66)
    expect(edge).toBeLessThan(0.02)
  })

  it("weights colors with the density, and leaves out dimmed points", () => {
    const map = density([0, 0, 0, 1, 0, 0], [RED, BLUE])
    const [red, , blue, sum] = texelAt(map, 0.05, 0) as [number, number, number, number]
    expect(red / sum).toBeGreaterThan(blue / sum)
    expect((red + blue) / sum).toBeCloseTo(200, 3)
    expect(texelAt(density([0, 0, 0, 1, 0, 0], [RED, DIMMED]), 1.9, 0)[2]).toBe(0)
  })

  it("stays small for points far apart, and for none", () => {
    const map = density([0, 0, 0, 900, 400, 0], [RED, BLUE])
    expect(Math.max(map.width, map.height)).toBeLessThanOrEqual(421)
    expect(density([], []).sums.every((v) => v === 0)).toBe(true)
  })
})

describe("paintHaze", () => {
  it("has the color of the points and gets stronger with their density, up to the strength", () => {
    const pixelIn = (weight: number) => {
      const map = density([0, 0, 0], [RED], weight)
      const pixels = paintHaze(map, 0.5, 0.5)
      const k = 4 * (Math.floor(map.height / 2) * map.width + Math.floor(map.width / 2))
      return [...pixels.subarray(k, k + 4)]
    }
    expect(pixelIn(1).slice(0, 3)).toEqual([200, 0, 0])
    const alphas = [0.05, 0.3, 1, 5].map((weight) => pixelIn(weight)[3]!)
    expect(alphas).toEqual([...alphas].sort((a, b) => a - b))
    expect(alphas[0]).toBeLessThan(10)
    expect(alphas[3]).toBeGreaterThan(120)
    expect(alphas[3]).toBeLessThanOrEqual(128)
  })

  it("rises in steps where contours are wanted", () => {
    // The density 1 - e⁻ˢ is 0.43 and 0.48, between two steps.
    expect(hazeShare(0.65, 1)).toBe(hazeShare(0.562, 1))
    expect(hazeShare(0.65, 0)).toBeGreaterThan(hazeShare(0.562, 0))
    expect(hazeShare(50, 0.5)).toBeCloseTo(1)
  })
})
