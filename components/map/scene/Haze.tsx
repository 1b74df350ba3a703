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
  type PerspectiveCamera,
  Points,
  ShaderMaterial,
  Scene as ThreeScene,
  Vector2,
  WebGLRenderTarget,
} from "three"
import { type MapModel, RADIUS } from "../state/model.ts"
import { type DisplayedPoints, focalLengthPx } from "./displayed-points.ts"
import type { HazeLook, Look } from "./look.ts"
import { hazeFragment, hazeVertex } from "./shaders.ts"

/** The haze is drawn at a fraction of the resolution of the view: it has no details, and costs little this way. */
const PIXELS_PER_TEXEL = 6
/** A sample of the points suffices to estimate their density. */
const MAX_SAMPLED_POINTS = 3000

/** Returns the points whose density is drawn, evenly spaced by index. Whole recordings lie between their topics. */
const samplePoints = ({ levels, count }: MapModel): Uint32Array => {
  const topics = [...Array(count).keys()].filter((i) => levels[i]! > 1)
  const points = topics.length > 0 ? topics : [...Array(count).keys()]
  const step = Math.max(1, Math.ceil(points.length / MAX_SAMPLED_POINTS))
  return Uint32Array.from(points.filter((_, k) => k % step === 0))
}

/** Returns the radius of the kernel of the density estimate in scene units. */
const kernelRadius = (points: number, { kernel }: HazeLook): number =>
  kernel * Math.min(1.6, Math.max(0.5, 2.8 * points ** -0.2))

/** The density of the points by color, as a texture of the size of the view. */
export type Haze = { readonly target: WebGLRenderTarget }

export const useHaze = (): Haze => {
  const haze = useMemo(() => ({ target: new WebGLRenderTarget(1, 1, { type: HalfFloatType, depthBuffer: false }) }), [])
  useEffect(() => () => haze.target.dispose(), [haze])
  return haze
}

type HazeLayerProps = { haze: Haze; model: MapModel; displayed: DisplayedPoints; colors: BufferAttribute; look: Look }

/**
 * Estimates the density of the highlighted points with a kernel around each, before every frame that is drawn. The ground
 * shows it as a haze in the colors of the points, so that regions are visible as areas.
 */
export const HazeLayer = ({ haze, model, displayed, colors, look }: HazeLayerProps) => {
  const invalidate = useThree((s) => s.invalidate)
  const { scene, geometry, material } = useMemo(() => {
    const sample = samplePoints(model)
    const geometry = new BufferGeometry()
    geometry.setAttribute("position", displayed.attribute)
    geometry.setAttribute("aColor", colors)
    geometry.setIndex(new BufferAttribute(sample, 1))
    const kernel = kernelRadius(sample.length, look.haze)
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
        // The mean number of kernels that overlap depends on neither the number of points nor the size of the kernel.
        uWeight: { value: (look.haze.gain * 2 * RADIUS ** 2) / (Math.max(1, sample.length) * kernel ** 2) },
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
    uFocal!.value = focalLengthPx(camera as PerspectiveCamera, target.height)
    uFade!.value.set(Math.max(1, distance - RADIUS), distance + RADIUS * 1.4)
    gl.setRenderTarget(target)
    gl.render(scene, camera)
    gl.setRenderTarget(null)
  })
  return null
}
