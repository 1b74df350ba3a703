"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo, useRef } from "react"
import { BufferAttribute, BufferGeometry, Color, ShaderMaterial, Vector2 } from "three"
import { type MapModel, RADIUS } from "../state/model.ts"
import { type MapState, useMap } from "../state/store.ts"
import type { Look } from "./look.ts"
import { focalLengthPx } from "./projection.ts"
import { discFragment, discVertex, glowFragment, glowVertex } from "./shaders.ts"
import type { SceneTheme } from "./theme.ts"
import type { WebglPoints } from "./webgl-renderer.ts"

/** With more points the glow of each is too faint to be worth a second draw call. */
const MAX_GLOWING_POINTS = 6000

const makeGeometry = (model: MapModel, displayed: WebglPoints, colors: BufferAttribute) => {
  const geometry = new BufferGeometry()
  geometry.setAttribute("position", displayed.attribute)
  geometry.setAttribute("aSize", new BufferAttribute(model.radii, 1))
  geometry.setAttribute("aLevel", new BufferAttribute(model.levels, 1))
  geometry.setAttribute("aColor", colors)
  return geometry
}

/** Returns the constants of the shaders of discs and glows. */
const definesOf = ({ point, glow }: Look): Record<string, string> => {
  const values = {
    SCALE: point.scale,
    MIN_RADIUS_PX: point.minRadiusPx,
    MAX_RADIUS_PX: point.maxRadiusPx,
    DIMMED_SCALE: point.dimmedScale,
    DIMMED_OPACITY: point.dimmedOpacity,
    EMPHASIS_SCALE: point.emphasisScale,
    EMPHASIS_MIN_RADIUS_PX: point.emphasisMinRadiusPx,
    RING_INNER: point.ringInner,
    RING_OUTER: point.ringOuter,
    GLOW_REACH: glow.reach,
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.toFixed(3)]))
}

/** Creates the materials of discs and glows, which share their uniforms. */
const makeMaterials = (look: Look) => {
  const uniforms = {
    uFocal: { value: 1 },
    uPixelRatio: { value: 1 },
    uSelected: { value: -1 },
    uFlat: { value: 0 },
    uMinRadius: { value: 0 },
    uReach: { value: 4 },
    /** The largest point size in pixels that the GPU supports. */
    uMaxSize: { value: 64 },
    uFade: { value: new Vector2() },
    uGround: { value: new Color() },
    uInk: { value: new Color() },
    uSheen: { value: 0 },
    uGlow: { value: 0 },
  }
  const defines = definesOf(look)
  const make = (name: string, vertexShader: string, fragmentShader: string, depth: boolean) => {
    const parameters = {
      name,
      defines,
      vertexShader,
      fragmentShader,
      transparent: true,
      depthTest: depth,
      depthWrite: depth,
    }
    return Object.assign(new ShaderMaterial(parameters), { uniforms })
  }
  return {
    uniforms,
    disc: make("disc", discVertex, discFragment, true),
    glow: make("glow", glowVertex, glowFragment, false),
  }
}

const uniformsChanged = (a: MapState, b: MapState): boolean =>
  a.selected !== b.selected || a.flat !== b.flat || a.hits !== b.hits

type PointsLayerProps = {
  model: MapModel
  displayed: WebglPoints
  colors: BufferAttribute
  theme: SceneTheme
  look: Look
}

/** Draws all discs in one call and their glows in a second one. HoverLayer draws the hovered topic. */
export const PointsLayer = ({ model, displayed, colors, theme, look }: PointsLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const geometry = useMemo(() => makeGeometry(model, displayed, colors), [model, displayed, colors])
  const { uniforms, disc, glow } = useMemo(() => makeMaterials(look), [look])
  const gl = useThree((s) => s.gl)
  useEffect(() => {
    const context = gl.getContext()
    uniforms.uMaxSize.value = context.getParameter(context.ALIASED_POINT_SIZE_RANGE)[1]
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
    // With more points each glow is fainter and smaller, which keeps the overall brightness constant.
    uniforms.uGlow.value = theme.glow * Math.min(1, Math.max(0.3, 6 * model.count ** -0.36))
    const crowding = 0.125 * Math.log2(model.count / 600)
    uniforms.uReach.value = look.glow.reach * Math.min(1, Math.max(0.5, 1 - crowding))
    invalidate()
  }, [uniforms, theme, look, model, invalidate])

  useEffect(() => {
    const update = ({ selected, flat, hits }: MapState) => {
      uniforms.uSelected.value = selected
      uniforms.uFlat.value = flat ? 1 : 0
      uniforms.uMinRadius.value = hits ? look.point.minHitRadiusPx : look.point.minRadiusPx
      invalidate()
    }
    update(useMap.getState())
    return useMap.subscribe((s, before) => uniformsChanged(s, before) && update(s))
  }, [uniforms, look, invalidate])

  const hasDrawn = useRef(false)
  useFrame(({ camera, size, gl }) => {
    // For `npm run bench -- web` and whoever measures the page.
    if (!hasDrawn.current) requestAnimationFrame(() => performance.mark("map-drawn"))
    hasDrawn.current = true
    const distance = camera.position.length()
    uniforms.uFocal.value = focalLengthPx(size.height)
    uniforms.uPixelRatio.value = gl.getPixelRatio()
    uniforms.uFade.value.set(Math.max(1, distance - RADIUS * 0.6), distance + RADIUS * 1.4)
  })

  const common = { geometry, frustumCulled: false, raycast: () => null }
  return (
    <>
      {model.count <= MAX_GLOWING_POINTS && <points {...common} material={glow} renderOrder={0} />}
      <points {...common} material={disc} renderOrder={2} />
    </>
  )
}
