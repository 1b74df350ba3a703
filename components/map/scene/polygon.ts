import type { Screen } from "./projection.ts"

/** Returns true if a point lies in the closed polygon [x, y, x, y, …]. Counts edge crossings (Shimrat 1962). */
export const isInPolygon = (polygon: readonly number[], x: number, y: number): boolean => {
  let inside = false
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const yi = polygon[i + 1]!
    const yj = polygon[j + 1]!
    if (yi > y === yj > y) continue
    const xi = polygon[i]!
    if (x < ((polygon[j]! - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

/** Returns the points in front of the camera that lie in a polygon on the screen and whose byte in `included` is not 0. */
export const findPointsInPolygon = (polygon: readonly number[], screen: Screen, included: Uint8Array): number[] => {
  const out: number[] = []
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < polygon.length; i += 2) {
    left = Math.min(left, polygon[i]!)
    right = Math.max(right, polygon[i]!)
    top = Math.min(top, polygon[i + 1]!)
    bottom = Math.max(bottom, polygon[i + 1]!)
  }
  for (let i = 0; i < included.length; i++) {
    const [x, y] = [screen.x[i]!, screen.y[i]!]
    if (included[i] === 0 || screen.depth[i]! <= 0 || x < left || x > right || y < top || y > bottom) continue
    if (isInPolygon(polygon, x, y)) out.push(i)
  }
  return out
}
