import type { PointLook } from "../scene/look.ts"
import { type Rgb, toCss } from "../state/palette.ts"

/** Sprites exist for radii in steps of this many device pixels. */
const RADIUS_STEP = 0.5
const GLOW_RADIUS_STEP = 2
/** The highlight in the middle of a disc and the glow around it fade with these powers of the distance, as in shaders.ts. */
const GRADIENT_STOPS = 8
const HOLLOW = { inner: 0.34, outer: 0.66, share: 0.85 }

/** A picture of a disc or a glow. Its middle is `half` device pixels from its left and upper edges. */
export type Sprite = { readonly canvas: HTMLCanvasElement; readonly half: number }

export type DiscKind = { readonly color: Rgb; readonly isHollow: boolean; readonly sheen: number }

const createCanvas = (half: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } => {
  const canvas = document.createElement("canvas")
  canvas.width = 2 * half
  canvas.height = 2 * half
  const context = canvas.getContext("2d")!
  context.translate(half, half)
  return { canvas, context }
}

const withAlpha = ([red, green, blue]: Rgb, alpha: number): string => `rgb(${red} ${green} ${blue} / ${alpha})`

const fillDisc = (context: CanvasRenderingContext2D, radius: number, fill: string | CanvasGradient) => {
  context.fillStyle = fill
  context.beginPath()
  context.arc(0, 0, radius, 0, 2 * Math.PI)
  context.fill()
}

/** Creates a gradient from the middle outwards. `alphaAt` takes the squared distance in radii. */
const createFade = (
  context: CanvasRenderingContext2D,
  color: Rgb,
  radius: number,
  alphaAt: (squared: number) => number,
): CanvasGradient => {
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, radius)
  for (let k = 0; k <= GRADIENT_STOPS; k++) {
    const at = k / GRADIENT_STOPS
    gradient.addColorStop(at, withAlpha(color, alphaAt(at * at)))
  }
  return gradient
}

const drawDisc = ({ color, isHollow, sheen }: DiscKind, ground: Rgb, radius: number): Sprite => {
  const half = Math.ceil(radius + 1)
  const { canvas, context } = createCanvas(half)
  fillDisc(context, radius, toCss(color))
  if (sheen > 0)
    fillDisc(
      context,
      radius,
      createFade(context, [255, 255, 255], radius, (squared) => sheen * Math.max(0, 1 - 1.2 * squared) ** 2),
    )
  if (isHollow) {
    context.fillStyle = withAlpha(ground, HOLLOW.share)
    context.beginPath()
    context.arc(0, 0, HOLLOW.outer * radius, 0, 2 * Math.PI)
    context.arc(0, 0, HOLLOW.inner * radius, 0, 2 * Math.PI, true)
    context.fill()
  }
  return { canvas, half }
}

const drawGlow = (color: Rgb, radius: number): Sprite => {
  const half = Math.ceil(radius)
  const { canvas, context } = createCanvas(half)
  fillDisc(
    context,
    radius,
    createFade(context, color, radius, (squared) => Math.max(0, 1 - squared) ** 6),
  )
  return { canvas, half }
}

/** Returns a function that returns the sprite for a radius in device pixels and draws it once. A copy of pixels is much cheaper than a circle. */
const bySize = (step: number, draw: (radius: number) => Sprite): ((radius: number) => Sprite) => {
  const drawn: (Sprite | undefined)[] = []
  return (radius) => {
    const size = Math.max(1, Math.round(radius / step))
    const known = drawn[size]
    if (known) return known
    const sprite = draw(size * step)
    drawn[size] = sprite
    return sprite
  }
}

/** Returns the sprites of a kind of discs by radius. */
export const createDiscSprites = (kind: DiscKind, ground: Rgb) =>
  bySize(RADIUS_STEP, (radius) => drawDisc(kind, ground, radius))

/** Returns the sprites of the glows in a color by radius. */
export const createGlowSprites = (color: Rgb) => bySize(GLOW_RADIUS_STEP, (radius) => drawGlow(color, radius))

/** Draws the ring around the open topic. */
export const drawRing = (
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  { ringInner, ringOuter }: PointLook,
  ink: string,
) => {
  context.strokeStyle = ink
  context.lineWidth = (ringOuter - ringInner) * radius
  context.beginPath()
  context.arc(x, y, ((ringInner + ringOuter) / 2) * radius, 0, 2 * Math.PI)
  context.stroke()
}
