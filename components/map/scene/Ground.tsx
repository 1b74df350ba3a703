"use client"
import { useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, BufferGeometry, Color, ShaderMaterial } from "three"
import { groundFragment, groundVertex } from "./shaders.ts"
import type { GlTheme } from "./theme.ts"

/**
 * The ground of the map, darker towards its edges, in the scene itself: the browser would lay a gradient of the page under
 * the scene in each frame, with all of its pixels, while the scene has fewer of them where the machine is slow.
 */
export const Ground = ({ theme }: { theme: GlTheme }) => {
  const invalidate = useThree((s) => s.invalidate)
  const geometry = useMemo(() => {
    // One triangle that holds the view.
    const corners = Float32Array.from([-1, -1, 0, 3, -1, 0, -1, 3, 0])
    return new BufferGeometry().setAttribute("position", new BufferAttribute(corners, 3))
  }, [])
  const material = useMemo(
    () =>
      new ShaderMaterial({
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
