"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import {
  BufferAttribute,
  Color,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  type PerspectiveCamera,
  ShaderMaterial,
  Vector2,
} from "three"
import { type MapModel, RADIUS } from "../model.ts"
import { type MapState, useMap } from "../store.ts"
import { pointFragment, pointVertex } from "./shaders.ts"
import { focalOf, type Stage } from "./stage.ts"
import type { GlTheme } from "./theme.ts"

const CORNERS = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0])

const makeGeometry = (model: MapModel, stage: Stage, colours: InstancedBufferAttribute) => {
  const geometry = new InstancedBufferGeometry()
  geometry.setAttribute("position", new BufferAttribute(CORNERS, 3))
  geometry.setIndex([0, 1, 2, 0, 2, 3])
  geometry.setAttribute("aAt", stage.points)
  geometry.setAttribute("aSize", new InstancedBufferAttribute(model.sizes, 1))
  geometry.setAttribute("aLevel", new InstancedBufferAttribute(model.levels, 1))
  geometry.setAttribute("aColour", colours)
  geometry.instanceCount = model.count
  return geometry
}

const makeMaterial = () =>
  new ShaderMaterial({
    vertexShader: pointVertex,
    fragmentShader: pointFragment,
    transparent: true,
    uniforms: {
      uViewport: { value: new Vector2() },
      uFocal: { value: 1 },
      uMarked: { value: [-1, -1] },
      uFlat: { value: 0 },
      uReach: { value: 4 },
      uFade: { value: new Vector2() },
      uGround: { value: new Color() },
      uInk: { value: new Color() },
      uSheen: { value: 0 },
      uGlow: { value: 0 },
    },
  })

type PointsLayerProps = { model: MapModel; stage: Stage; colours: InstancedBufferAttribute; theme: GlTheme }

/** All points in one draw call. Hover and selection are a uniform, so moving the pointer touches no buffer. */
export const PointsLayer = ({ model, stage, colours, theme }: PointsLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const geometry = useMemo(() => makeGeometry(model, stage, colours), [model, stage, colours])
  const material = useMemo(makeMaterial, [])
  useEffect(() => () => geometry.dispose(), [geometry])
  useEffect(() => () => material.dispose(), [material])

  useEffect(() => {
    const { uniforms } = material
    uniforms.uGround!.value.set(theme.ground).convertLinearToSRGB()
    uniforms.uInk!.value.set(theme.ink).convertLinearToSRGB()
    uniforms.uSheen!.value = theme.sheen
    // Many glows together are as bright as few.
    uniforms.uGlow!.value = theme.glow * Math.min(1, Math.max(0.3, 6 * model.count ** -0.36))
    uniforms.uReach!.value = Math.min(4, Math.max(2, 4 - 0.5 * Math.log2(model.count / 600)))
    invalidate()
  }, [material, theme, model, invalidate])

  useEffect(() => {
    const mark = ({ hover, selected, flat }: MapState) => {
      material.uniforms.uMarked!.value = [hover, selected]
      material.uniforms.uFlat!.value = flat ? 1 : 0
      invalidate()
    }
    mark(useMap.getState())
    return useMap.subscribe(
      (s, before) => (s.hover !== before.hover || s.selected !== before.selected || s.flat !== before.flat) && mark(s),
    )
  }, [material, invalidate])

  useFrame(({ camera, size }) => {
    const { uniforms } = material
    const away = camera.position.length()
    uniforms.uViewport!.value.set(size.width, size.height)
    uniforms.uFocal!.value = focalOf(camera as PerspectiveCamera, size.height)
    uniforms.uFade!.value.set(Math.max(1, away - RADIUS * 0.6), away + RADIUS * 1.4)
  })

  return <mesh geometry={geometry} material={material} frustumCulled={false} renderOrder={2} raycast={() => null} />
}
