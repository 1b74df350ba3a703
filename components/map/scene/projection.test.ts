import { PerspectiveCamera, Vector3 } from "three"
import { describe, expect, it } from "vitest"
import { LOOK } from "./look.ts"
import { makeScreen, pick, project, screenRadius } from "./projection.ts"

const camera = new PerspectiveCamera(45, 800 / 600, 0.1, 100)
camera.position.set(0, 0, 20)
camera.lookAt(0, 0, 0)
camera.updateMatrixWorld()
const matrix = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).elements
const focal = 600 / (2 * Math.tan((45 * Math.PI) / 360))

const screenOf = (positions: Float32Array) => {
  const screen = makeScreen(positions.length / 3)
  project(positions, matrix, 800, 600, screen)
  return screen
}

describe("project", () => {
  it("matches three.js", () => {
    const positions = Float32Array.from([1, 2, 3, -4, 0.5, -2, 0, 0, 0])
    const screen = screenOf(positions)
    for (let i = 0; i < 3; i++) {
      const v = new Vector3().fromArray(positions, i * 3).project(camera)
      expect(screen.x[i]).toBeCloseTo((v.x + 1) * 400, 2)
      expect(screen.y[i]).toBeCloseTo((1 - v.y) * 300, 2)
    }
    expect(screen.depth[2]).toBeCloseTo(20, 4)
  })

  it("returns a depth of 0 or less for a point behind the camera", () => {
    expect(screenOf(Float32Array.from([0, 0, 30])).depth[0]).toBeLessThanOrEqual(0)
  })
})

describe("pick", () => {
  const sizes = Float32Array.from([0.4, 0.4, 0.4])
  const screen = screenOf(Float32Array.from([0, 0, 0, 0, 0, 5, 3, 0, 0]))
  const at = (x: number, y: number, reach = 6) =>
    pick({ screen, radii: sizes, at: { x, y }, focal, reach, look: LOOK.point })

  it("returns the nearer of two overlapping points", () => {
    expect(at(400, 300)).toBe(1)
  })

  it("returns the nearest disc within reach, and -1 beyond it", () => {
    const edge = screen.x[2]! + screenRadius(0.4, 20, focal, LOOK.point)
    expect(at(edge + 5, 300)).toBe(2)
    expect(at(edge + 9, 300)).toBe(-1)
    expect(at(edge + 9, 300, 20)).toBe(2)
  })
})
