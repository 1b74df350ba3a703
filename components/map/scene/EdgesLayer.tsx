"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, ShaderMaterial, Vector2 } from "three"
import { type MapModel, RADIUS } from "../state/model.ts"
import { type MapState, useMap } from "../state/store.ts"
import { countLineEnds, lineDensity, linesChanged, writeLines } from "./lines.ts"
import type { Look } from "./look.ts"
import { edgeFragment, edgeVertex } from "./shaders.ts"
import type { SceneTheme } from "./theme.ts"
import type { WebglPoints } from "./webgl-renderer.ts"

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

type EdgesLayerProps = {
  model: MapModel
  displayed: WebglPoints
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
    edges.setIndex(new BufferAttribute(new Uint32Array(countLineEnds(model)), 1).setUsage(DynamicDrawUsage))
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
    materials[0].uniforms.uAlpha!.value = theme.line * lineDensity(model)
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
      const parts = writeLines(model, state, index.array as Uint32Array)
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
    return useMap.subscribe((state, before) => linesChanged(state, before) && write(state))
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
