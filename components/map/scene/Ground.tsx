"use client"
import { useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, BufferGeometry, Color, ShaderMaterial } from "three"
import { groundFragment, groundVertex } from "./shaders.ts"
import type { SceneTheme } from "./theme.ts"

/**
 * Draws the background, which is darker towards the edges. As a CSS gradient it would be composited under the scene in
 * every frame at full resolution; here it shares the reduced resolution of slow machines.
 */
export const Ground = ({ theme }: { theme: SceneTheme }) => {
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
        uniforms: { uGround: { value: new Color() }, uEdge: { value: new Color() } },
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
    invalidate()
  }, [material, theme, invalidate])
  return <mesh geometry={geometry} material={material} frustumCulled={false} renderOrder={-1} raycast={() => null} />
}
