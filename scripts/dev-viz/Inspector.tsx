import { useFrame, useThree } from "@react-three/fiber"
import { useEffect } from "react"
import { Matrix4, type Mesh } from "three"
import type { Look } from "#components/map/scene/look.ts"
import { focalLengthPx, makeScreen, project, screenRadius } from "#components/map/scene/projection.ts"
import { useMap } from "#components/map/state/store.ts"
import { reportShaderErrors } from "./report-shader-errors.ts"

/** Lower than the priorities of all layers, so that this runs before the first frame is drawn. */
const FIRST = -1000

/** Checks all shaders, and offers the scene to the console of the browser and to tests as `window.scene`. */
export const Inspector = ({ look }: { look: Look }) => {
  const get = useThree((s) => s.get)
  useFrame(({ gl }) => {
    gl.debug.checkShaderErrors = true
    gl.debug.onShaderError = reportShaderErrors
  }, FIRST)
  useEffect(() => {
    /** Returns the center, radius and depth of all discs, in CSS pixels of the page. */
    const locatePoints = () => {
      const { camera, size, gl } = get()
      const { model } = useMap.getState()
      if (!model) return []
      const screen = makeScreen(model.count)
      const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
      project(model.positions, matrix.elements, size.width, size.height, screen)
      const focal = focalLengthPx(size.height)
      const { left, top } = gl.domElement.getBoundingClientRect()
      return model.points.map(({ level }, i) => ({
        x: left + screen.x[i]!,
        y: top + screen.y[i]!,
        depth: screen.depth[i]!,
        radius: screenRadius(model.radii[i]!, screen.depth[i]!, focal, look.point),
        level,
      }))
    }
    /** Returns the names of all materials, and of those that were compiled. Materials with the same shaders share a program. */
    const listMaterials = () => {
      const names = new Set<string>()
      get().scene.traverse((object) => {
        const { material = [] } = object as Mesh
        for (const { name } of [material].flat()) names.add(name)
      })
      return { all: [...names].sort(), compiled: (get().gl.info.programs ?? []).map(({ name }) => name).sort() }
    }
    Object.assign(window, { scene: { get, locatePoints, listMaterials } })
  }, [get, look])
  return null
}
