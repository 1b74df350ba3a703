"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, ShaderMaterial, Vector2 } from "three"
import { type MapModel, RADIUS } from "../state/model.ts"
import { type MapState, NONE, useMap } from "../state/store.ts"
import { edgeFragment, edgeVertex } from "./shaders.ts"
import type { Stage } from "./stage.ts"
import type { GlTheme } from "./theme.ts"

const makeMaterial = (inkShare: number) =>
  new ShaderMaterial({
    vertexShader: edgeVertex,
    fragmentShader: edgeFragment,
    transparent: true,
    depthWrite: false,
    uniforms: {
      uAlpha: { value: 0 },
      uInk: { value: new Color() },
      uInkShare: { value: inkShare },
      uFade: { value: new Vector2() },
    },
  })

/** The edges to draw: all of them when asked for, then those of the selected point, which a second material lifts. */
const writeIndex = (model: MapModel, state: MapState, index: Uint32Array): { all: number; focus: number } => {
  const all = state.allEdges ? model.edges.length : 0
  if (all > 0) index.set(model.edges)
  let at = all
  const { selected } = state
  if (selected !== NONE)
    for (let k = model.starts[selected]!; k < model.starts[selected + 1]!; k++) {
      const edge = model.incident[k]! * 2
      index[at++] = model.edges[edge]!
      index[at++] = model.edges[edge + 1]!
    }
  return { all, focus: at - all }
}

const changed = (a: MapState, b: MapState) => a.selected !== b.selected || a.allEdges !== b.allEdges

type EdgesLayerProps = { model: MapModel; stage: Stage; colours: BufferAttribute; theme: GlTheme }

/** Edges of the selected point; all of them faintly on demand. Only the index is rewritten, the ends stay in the points' arrays. */
export const EdgesLayer = ({ model, stage, colours, theme }: EdgesLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const materials = useMemo(() => [makeMaterial(0), makeMaterial(0.25)] as const, [])
  const geometry = useMemo(() => {
    const made = new BufferGeometry()
    made.setAttribute("position", stage.at)
    made.setAttribute("aColour", colours)
    // The selected point may have every edge of the map: room for all twice over.
    made.setIndex(new BufferAttribute(new Uint32Array(model.edges.length * 2), 1).setUsage(DynamicDrawUsage))
    return made
  }, [model, stage, colours])
  useEffect(() => () => geometry.dispose(), [geometry])
  useEffect(
    () => () => {
      for (const material of materials) material.dispose()
    },
    [materials],
  )

  useEffect(() => {
    const dense = Math.min(1, Math.max(0.3, 12 * (model.edges.length / 2) ** -0.4))
    materials[0].uniforms.uAlpha!.value = theme.line * dense
    materials[1].uniforms.uAlpha!.value = 0.9
    for (const { uniforms } of materials) uniforms.uInk!.value.set(theme.ink).convertLinearToSRGB()
    invalidate()
  }, [materials, theme, model, invalidate])

  useEffect(() => {
    const write = (state: MapState) => {
      const index = geometry.index!
      const { all, focus } = writeIndex(model, state, index.array as Uint32Array)
      index.clearUpdateRanges()
      if (all + focus > 0) {
        index.addUpdateRange(0, all + focus)
        index.needsUpdate = true
      }
      geometry.clearGroups()
      if (all > 0) geometry.addGroup(0, all, 0)
      if (focus > 0) geometry.addGroup(all, focus, 1)
      invalidate()
    }
    write(useMap.getState())
    return useMap.subscribe((state, before) => changed(state, before) && write(state))
  }, [model, geometry, invalidate])

  useFrame(({ camera }) => {
    const away = camera.position.length()
    for (const { uniforms } of materials) uniforms.uFade!.value.set(Math.max(1, away - RADIUS), away + RADIUS * 1.4)
  })

  if (model.edges.length === 0) return null
  return (
    <lineSegments
      geometry={geometry}
      material={materials as unknown as ShaderMaterial[]}
      frustumCulled={false}
      renderOrder={1}
      raycast={() => null}
    />
  )
}
