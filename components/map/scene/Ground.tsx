"use client"
import { useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, BufferGeometry, Color, ShaderMaterial } from "three"
import { useMap } from "../state/store.ts"
import type { Haze } from "./Haze.tsx"
import type { Look } from "./look.ts"
import { groundFragment, groundVertex } from "./shaders.ts"
import type { SceneTheme } from "./theme.ts"

/**
 * Draws the background, which is darker towards the edges, and the haze of the regions on it. As a CSS gradient it would be composited under the scene in
 * every frame at full resolution; here it shares the reduced resolution of slow machines.
 */
export const Ground = ({ theme, look, haze }: { theme: SceneTheme; look: Look; haze: Haze }) => {
  const coloring = useMap((s) => s.coloring)
  const invalidate = useThree((s) => s.invalidate)
  const geometry = useMemo(() => {
    // One triangle that covers the view.
    const corners = Float32Array.from([-1, -1, 0, 3, -1, 0, -1, 3, 0])
    return new BufferGeometry().setAttribute("position", new BufferAttribute(corners, 3))
  }, [])
  const material = useMemo(
    () =>
      new ShaderMaterial({
        name: "ground",
        vertexShader: groundVertex,
        fragmentShader: groundFragment,
        depthTest: false,
        depthWrite: false,
        uniforms: {
          uGround: { value: new Color() },
          uEdge: { value: new Color() },
          uHaze: { value: null },
          uStrength: { value: 0 },
          uContour: { value: 0 },
        },
      }),
    [],
  )
  useEffect(
    () => () => {
      geometry.dispose()
      material.dispose()
    },
    [geometry, material],
  )
  useEffect(() => {
    material.uniforms.uGround!.value.set(theme.ground).convertLinearToSRGB()
    material.uniforms.uEdge!.value.set(theme.edge).convertLinearToSRGB()
    material.uniforms.uHaze!.value = haze.target.texture
    const isByPlace = coloring === "region" || coloring === "cluster"
    material.uniforms.uStrength!.value = isByPlace ? theme.haze : theme.otherHaze
    material.uniforms.uContour!.value = look.haze.contour
    invalidate()
  }, [material, theme, look, haze, coloring, invalidate])
  return <mesh geometry={geometry} material={material} frustumCulled={false} renderOrder={-1} raycast={() => null} />
}
