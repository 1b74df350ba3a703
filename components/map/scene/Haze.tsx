"use client"
import { useFrame, useThree } from "@react-three/fiber"
import { useEffect, useMemo } from "react"
import {
  AddEquation,
  BufferAttribute,
  BufferGeometry,
  CustomBlending,
  HalfFloatType,
  OneFactor,
  Points,
  ShaderMaterial,
  Scene as ThreeScene,
  Vector2,
  WebGLRenderTarget,
} from "three"
import { type MapModel, RADIUS } from "../state/model.ts"
import { estimateDensity } from "./density.ts"
import type { Look } from "./look.ts"
import { focalLengthPx } from "./projection.ts"
import { hazeFragment, hazeVertex } from "./shaders.ts"
import type { WebglPoints } from "./webgl-renderer.ts"

/** The haze is drawn at a fraction of the resolution of the view: it has no details, and costs little this way. */
const PIXELS_PER_TEXEL = 6
/** The density of the points by color, as a texture of the size of the view. */
export type Haze = { readonly target: WebGLRenderTarget }

export const useHaze = (): Haze => {
  const haze = useMemo(() => ({ target: new WebGLRenderTarget(1, 1, { type: HalfFloatType, depthBuffer: false }) }), [])
  useEffect(() => () => haze.target.dispose(), [haze])
  return haze
}

type HazeLayerProps = { haze: Haze; model: MapModel; displayed: WebglPoints; colors: BufferAttribute; look: Look }

/**
 * Estimates the density of the highlighted points with a kernel around each, before every frame that is drawn. The ground
 * shows it as a haze in the colors of the points, so that regions are visible as areas.
 */
export const HazeLayer = ({ haze, model, displayed, colors, look }: HazeLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const { scene, geometry, material } = useMemo(() => {
    const { sample, kernel, weight } = estimateDensity(model, look.haze)
    const geometry = new BufferGeometry()
    geometry.setAttribute("position", displayed.attribute)
    geometry.setAttribute("aColor", colors)
    geometry.setIndex(new BufferAttribute(sample, 1))
    const material = new ShaderMaterial({
      name: "haze",
      vertexShader: hazeVertex,
      fragmentShader: hazeFragment,
      depthTest: false,
      depthWrite: false,
      blending: CustomBlending,
      blendEquation: AddEquation,
      blendSrc: OneFactor,
      blendDst: OneFactor,
      uniforms: {
        uFocal: { value: 1 },
        uKernel: { value: kernel },
        uWeight: { value: weight },
        uFade: { value: new Vector2() },
      },
    })
    const points = new Points(geometry, material)
    points.frustumCulled = false
    return { scene: new ThreeScene().add(points), geometry, material }
  }, [model, displayed, colors, look])
  useEffect(() => {
    invalidate()
    return () => {
      geometry.dispose()
      material.dispose()
    }
  }, [geometry, material, invalidate])

  useFrame(({ gl, camera, size }) => {
    const { target } = haze
    target.setSize(Math.ceil(size.width / PIXELS_PER_TEXEL), Math.ceil(size.height / PIXELS_PER_TEXEL))
    const { uFocal, uFade } = material.uniforms
    const distance = camera.position.length()
    uFocal!.value = focalLengthPx(target.height)
    uFade!.value.set(Math.max(1, distance - RADIUS), distance + RADIUS * 1.4)
    gl.setRenderTarget(target)
    gl.render(scene, camera)
    gl.setRenderTarget(null)
  })
  return null
}
