import type { Screen } from "../scene/projection.ts"

/** Whether a place lies in a closed polygon of [x, y, x, y, …], by crossings (Shimrat 1962). */
export const inPolygon = (polygon: readonly number[], x: number, y: number): boolean => {
  let inside = false
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const [xi, yi, xj, yj] = [polygon[i]!, polygon[i + 1]!, polygon[j]!, polygon[j + 1]!]
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

/** The points before the eye whose place on the screen lies in the polygon and that are lit. */
export const enclosed = (polygon: readonly number[], screen: Screen, lit: Uint8Array): number[] => {
  const out: number[] = []
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < polygon.length; i += 2) {
    left = Math.min(left, polygon[i]!)
    right = Math.max(right, polygon[i]!)
    top = Math.min(top, polygon[i + 1]!)
    bottom = Math.max(bottom, polygon[i + 1]!)
  }
  for (let i = 0; i < lit.length; i++) {
    const [x, y] = [screen.x[i]!, screen.y[i]!]
    if (lit[i] === 0 || screen.depth[i]! <= 0 || x < left || x > right || y < top || y > bottom) continue
    if (inPolygon(polygon, x, y)) out.push(i)
  }
  return out
}
