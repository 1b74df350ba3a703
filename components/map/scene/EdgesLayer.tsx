"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, ShaderMaterial, Vector2 } from "three"
import { type MapModel, RADIUS } from "../state/model.ts"
import { type MapState, NONE, useMap } from "../state/store.ts"
import type { DisplayedPoints } from "./displayed-points.ts"
import type { Look } from "./look.ts"
import { edgeFragment, edgeVertex } from "./shaders.ts"
import type { SceneTheme } from "./theme.ts"

const makeMaterial = (name: string) =>
  new ShaderMaterial({
    name,
    vertexShader: edgeVertex,
    fragmentShader: edgeFragment,
    transparent: true,
    depthWrite: false,
    uniforms: {
      uAlpha: { value: 0 },
      uInk: { value: new Color() },
      uInkShare: { value: 0 },
      uFade: { value: new Vector2() },
    },
  })

/**
 * Writes the vertices of the edges to draw: all edges if they are switched on, followed by those of the open topic, which
 * a second material emphasizes. Returns the number of vertices of both parts.
 */
const writeIndex = (model: MapModel, state: MapState, index: Uint32Array): { all: number; focus: number } => {
  const all = state.allEdges ? model.edges.length : 0
  if (all > 0) index.set(model.edges)
  let end = all
  const { selected } = state
  if (selected !== NONE)
    for (let k = model.edgeStarts[selected]!; k < model.edgeStarts[selected + 1]!; k++) {
      const edge = model.incidentEdges[k]! * 2
      index[end++] = model.edges[edge]!
      index[end++] = model.edges[edge + 1]!
    }
  return { all, focus: end - all }
}

const edgesChanged = (a: MapState, b: MapState) => a.selected !== b.selected || a.allEdges !== b.allEdges

type EdgesLayerProps = {
  model: MapModel
  displayed: DisplayedPoints
  colors: BufferAttribute
  theme: SceneTheme
  look: Look
}

/** Draws the edges of the open topic and, if switched on, all others faintly. Only the index changes; the vertices are the points. */
export const EdgesLayer = ({ model, displayed, colors, theme, look }: EdgesLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const materials = useMemo(
    (): [ShaderMaterial, ShaderMaterial] => [makeMaterial("edge"), makeMaterial("open-edge")],
    [],
  )
  const geometry = useMemo(() => {
    const edges = new BufferGeometry()
    edges.setAttribute("position", displayed.attribute)
    edges.setAttribute("aColor", colors)
    // All edges, and all of them once more if they belong to the open topic.
    edges.setIndex(new BufferAttribute(new Uint32Array(model.edges.length * 2), 1).setUsage(DynamicDrawUsage))
    return edges
  }, [model, displayed, colors])
  useEffect(() => () => geometry.dispose(), [geometry])
  useEffect(
    () => () => {
      for (const material of materials) material.dispose()
    },
    [materials],
  )

  useEffect(() => {
    const density = Math.min(1, Math.max(0.3, 12 * (model.edges.length / 2) ** -0.4))
    materials[0].uniforms.uAlpha!.value = theme.line * density
    materials[1].uniforms.uAlpha!.value = look.edge.openOpacity
    materials[1].uniforms.uInkShare!.value = look.edge.openInkShare
    for (const { uniforms } of materials) uniforms.uInk!.value.set(theme.ink).convertLinearToSRGB()
    invalidate()
  }, [materials, theme, look, model, invalidate])

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
    return useMap.subscribe((state, before) => edgesChanged(state, before) && write(state))
  }, [model, geometry, invalidate])

  useFrame(({ camera }) => {
    const distance = camera.position.length()
    for (const { uniforms } of materials)
      uniforms.uFade!.value.set(Math.max(1, distance - RADIUS), distance + RADIUS * 1.4)
  })

  if (model.edges.length === 0) return null
  return (
    <lineSegments geometry={geometry} material={materials} frustumCulled={false} renderOrder={1} raycast={() => null} />
  )
}
