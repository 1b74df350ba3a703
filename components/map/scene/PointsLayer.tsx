"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import { BufferAttribute, BufferGeometry, Color, type PerspectiveCamera, ShaderMaterial, Vector2 } from "three"
import { type MapModel, RADIUS } from "../state/model.ts"
import { type MapState, useMap } from "../state/store.ts"
import { discFragment, discVertex, glowFragment, glowVertex } from "./shaders.ts"
import { focalOf, type Stage } from "./stage.ts"
import type { GlTheme } from "./theme.ts"

/** Up to so many points each shines; beyond, what little is left of each glow is not worth a second call. */
const SHINING = 6000

const makeGeometry = (model: MapModel, stage: Stage, colours: BufferAttribute) => {
  const geometry = new BufferGeometry()
  geometry.setAttribute("position", stage.at)
  geometry.setAttribute("aSize", new BufferAttribute(model.sizes, 1))
  geometry.setAttribute("aLevel", new BufferAttribute(model.levels, 1))
  geometry.setAttribute("aColour", colours)
  return geometry
}

/** Two materials over one set of uniforms: the discs, and the light around them. */
const makeMaterials = () => {
  const uniforms = {
    uFocal: { value: 1 },
    uPixelRatio: { value: 1 },
    uSelected: { value: -1 },
    uFlat: { value: 0 },
    uReach: { value: 4 },
    /** Pixels of the largest square that the card draws for a vertex. */
    uLargest: { value: 64 },
    uFade: { value: new Vector2() },
    uGround: { value: new Color() },
    uInk: { value: new Color() },
    uSheen: { value: 0 },
    uGlow: { value: 0 },
  }
  const make = (vertexShader: string, fragmentShader: string, depth: boolean) => {
    const look = { vertexShader, fragmentShader, transparent: true, depthTest: depth, depthWrite: depth }
    return Object.assign(new ShaderMaterial(look), { uniforms })
  }
  return { uniforms, disc: make(discVertex, discFragment, true), glow: make(glowVertex, glowFragment, false) }
}

type PointsLayerProps = { model: MapModel; stage: Stage; colours: BufferAttribute; theme: GlTheme }

/** All discs in one draw call, their glow, where they are not too many, in a second. The selection is a uniform; what is hovered is drawn by HoverLayer. */
export const PointsLayer = ({ model, stage, colours, theme }: PointsLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const geometry = useMemo(() => makeGeometry(model, stage, colours), [model, stage, colours])
  const { uniforms, disc, glow } = useMemo(makeMaterials, [])
  const gl = useThree((s) => s.gl)
  useEffect(() => {
    const context = gl.getContext()
    uniforms.uLargest.value = context.getParameter(context.ALIASED_POINT_SIZE_RANGE)[1]
  }, [gl, uniforms])
  useEffect(() => () => geometry.dispose(), [geometry])
  useEffect(
    () => () => {
      disc.dispose()
      glow.dispose()
    },
    [disc, glow],
  )

  useEffect(() => {
    uniforms.uGround.value.set(theme.ground).convertLinearToSRGB()
    uniforms.uInk.value.set(theme.ink).convertLinearToSRGB()
    uniforms.uSheen.value = theme.sheen
    // Many glows together are as bright as few, and where there are many each reaches less far.
    uniforms.uGlow.value = theme.glow * Math.min(1, Math.max(0.3, 6 * model.count ** -0.36))
    uniforms.uReach.value = Math.min(4, Math.max(2, 4 - 0.5 * Math.log2(model.count / 600)))
    invalidate()
  }, [uniforms, theme, model, invalidate])

  useEffect(() => {
    const mark = ({ selected, flat }: MapState) => {
      uniforms.uSelected.value = selected
      uniforms.uFlat.value = flat ? 1 : 0
      invalidate()
    }
    mark(useMap.getState())
    return useMap.subscribe((s, before) => (s.selected !== before.selected || s.flat !== before.flat) && mark(s))
  }, [uniforms, invalidate])

  useFrame(({ camera, size, gl }) => {
    const away = camera.position.length()
    uniforms.uFocal.value = focalOf(camera as PerspectiveCamera, size.height)
    uniforms.uPixelRatio.value = gl.getPixelRatio()
    uniforms.uFade.value.set(Math.max(1, away - RADIUS * 0.6), away + RADIUS * 1.4)
  })

  const common = { geometry, frustumCulled: false, raycast: () => null }
  return (
    <>
      {model.count <= SHINING && <points {...common} material={glow} renderOrder={0} />}
      <points {...common} material={disc} renderOrder={2} />
    </>
  )
}
