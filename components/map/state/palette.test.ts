import { describe, expect, it } from "vitest"
import { getColor, MAX_GROUP_COLORS, mixColors, parseHex, type Rgb } from "./palette.ts"

/** Returns the distance of two colors in OKLab × 100. A difference of 2 is just visible side by side. */
const difference = (a: Rgb, b: Rgb): number => {
  const [p, q] = [toOklab(a), toOklab(b)]
  return 100 * Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

const toOklab = (color: Rgb): Rgb => {
  const [r, g, b] = color.map((byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

describe("colors of groups", () => {
  it.each([true, false])("differ visibly from each other (dark theme: %s)", (dark) => {
    const colors = Array.from({ length: MAX_GROUP_COLORS }, (_, rank) => getColor("region", rank, dark))
    for (const [i, color] of colors.entries())
      for (const [j, other] of colors.slice(0, i).entries())
        expect(difference(color, other), `${i} and ${j}`).toBeGreaterThan(i < 12 ? 4.5 : 3.5)
  })

  it("are lighter in the dark theme than in the light theme", () => {
    for (const [coloring, count] of [
      ["region", MAX_GROUP_COLORS],
      ["level", 2],
    ] as const)
      for (let rank = 0; rank < count; rank++) {
        const [dark, light] = [true, false].map((isDark) => toOklab(getColor(coloring, rank, isDark))[0])
        expect(dark! - light!, `${coloring} ${rank}`).toBeGreaterThan(-0.05)
      }
    expect(toOklab(getColor("region", 0, true))[0] - toOklab(getColor("region", 0, false))[0]).toBeGreaterThan(0.1)
  })
})

describe("parseHex and mixColors", () => {
  it("read long and short colors and mix them", () => {
    expect(parseHex("#1d1b17")).toEqual([0x1d, 0x1b, 0x17])
    expect(parseHex("#fa0")).toEqual([255, 170, 0])
    expect(mixColors([0, 0, 0], [200, 100, 50], 0.5)).toEqual([100, 50, 25])
    expect(mixColors([10, 20, 30], [200, 100, 50], 0)).toEqual([10, 20, 30])
  })
})
