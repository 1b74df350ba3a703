"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, ShaderMaterial, Vector2 } from "three"
import { type MapModel, RADIUS } from "../state/model.ts"
import { listPath } from "../state/path.ts"
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

/** Writes the edges between search hits. Returns the number of vertices. */
const writeHitEdges = ({ edges }: MapModel, hits: readonly number[], index: Uint32Array): number => {
  const found = new Set(hits)
  let end = 0
  for (let k = 0; k < edges.length; k += 2)
    if (found.has(edges[k]!) && found.has(edges[k + 1]!)) {
      index[end++] = edges[k]!
      index[end++] = edges[k + 1]!
    }
  return end
}

/**
 * Writes the vertices of the lines to draw, each part for a material of its own: all edges if they are switched on, or those
 * between search hits; the edges of the open topic; and the path of the highlighted recording. Returns the number of
 * vertices of each part.
 */
const writeIndex = (model: MapModel, state: MapState, index: Uint32Array): readonly [number, number, number] => {
  let all = 0
  if (state.allEdges) {
    index.set(model.edges)
    all = model.edges.length
  } else if (state.hits) all = writeHitEdges(model, state.hits, index)
  let end = all
  const { selected, clip } = state
  if (selected !== NONE)
    for (let k = model.edgeStarts[selected]!; k < model.edgeStarts[selected + 1]!; k++) {
      const edge = model.incidentEdges[k]! * 2
      index[end++] = model.edges[edge]!
      index[end++] = model.edges[edge + 1]!
    }
  const path = clip === NONE ? [] : listPath(model, clip)
  for (let k = 1; k < path.length; k++) index.set([path[k - 1]!, path[k]!], end + 2 * k - 2)
  return [all, end - all, 2 * Math.max(0, path.length - 1)]
}

const edgesChanged = (a: MapState, b: MapState) =>
  a.selected !== b.selected || a.allEdges !== b.allEdges || a.hits !== b.hits || a.clip !== b.clip

type EdgesLayerProps = {
  model: MapModel
  displayed: DisplayedPoints
  colors: BufferAttribute
  theme: SceneTheme
  look: Look
}

/**
 * Draws the edges of the open topic, faintly those between search hits or all, and the path of the highlighted recording. Only
 * the index changes; the vertices are the points.
 */
export const EdgesLayer = ({ model, displayed, colors, theme, look }: EdgesLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const materials = useMemo(
    (): [ShaderMaterial, ShaderMaterial, ShaderMaterial] => [
      makeMaterial("edge"),
      makeMaterial("open-edge"),
      makeMaterial("path"),
    ],
    [],
  )
  const geometry = useMemo(() => {
    const edges = new BufferGeometry()
    edges.setAttribute("position", displayed.attribute)
    edges.setAttribute("aColor", colors)
    // All edges, all of them once more if they belong to the open topic, and a path through all points.
    edges.setIndex(
      new BufferAttribute(new Uint32Array(model.edges.length * 2 + model.count * 2), 1).setUsage(DynamicDrawUsage),
    )
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
    materials[2].uniforms.uAlpha!.value = look.edge.pathOpacity
    materials[2].uniforms.uInkShare!.value = look.edge.pathInkShare
    for (const { uniforms } of materials) uniforms.uInk!.value.set(theme.ink).convertLinearToSRGB()
    invalidate()
  }, [materials, theme, look, model, invalidate])

  useEffect(() => {
    const write = (state: MapState) => {
      const index = geometry.index!
      const parts = writeIndex(model, state, index.array as Uint32Array)
      index.clearUpdateRanges()
      geometry.clearGroups()
      let start = 0
      parts.forEach((size, material) => {
        if (size > 0) geometry.addGroup(start, size, material)
        start += size
      })
      if (start > 0) {
        index.addUpdateRange(0, start)
        index.needsUpdate = true
      }
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

  return (
    <lineSegments geometry={geometry} material={materials} frustumCulled={false} renderOrder={1} raycast={() => null} />
  )
}
