import { estimateDensity } from "../scene/density.ts"
import type { DisplayedPoints } from "../scene/displayed-points.ts"
import { countLineEnds, lineDensity, linesChanged, writeLines } from "../scene/lines.ts"
import type { Look } from "../scene/look.ts"
import { emphasizedRadius, screenRadius } from "../scene/projection.ts"
import type { SceneTheme } from "../scene/theme.ts"
import { highlightChanged } from "../state/highlight.ts"
import type { MapModel } from "../state/model.ts"
import { mixColors, parseHex, type Rgb, toCss } from "../state/palette.ts"
import { type MapState, NONE } from "../state/store.ts"
import { computeDensity, type DensityMap, paintHaze } from "./density-map.ts"
import { centerOf, type PlanePose, type PlaneView, scaleOf } from "./plane-camera.ts"
import { createDiscSprites, createGlowSprites, drawRing, type Sprite } from "./sprites.ts"

/**
 * How much the shaders fade what lies as deep as the plane: discs into the ground, and glows, lines and haze in their
 * opacity. The 3-D scene shown in 2-D has the same.
 */
const FADE = { disc: 0.11, glow: 0.84, line: 0.74, haze: 0.74 } as const
/** With more points the glow of each is too faint to be worth the time. */
const MAX_GLOWING_POINTS = 6000
/** Lines of dimmed points keep this share of their opacity. */
const DIMMED_LINE_SHARE = 0.12
/** The parts of the view that the gradient of the ground covers, as in `.map-ground` in globals.css. */
const GROUND = { x: 0.5, y: 0.45, radiusX: 0.8, radiusY: 0.75 }

type Frame = {
  readonly pose: PlanePose
  readonly view: PlaneView
  /** Device pixels of a CSS pixel. */
  readonly ratio: number
}

/** How points of a color and kind are drawn. */
type Style = {
  readonly color: Rgb
  readonly isHighlighted: boolean
  readonly disc: (radius: number) => Sprite
  /** Null for points without a glow. */
  readonly glow: ((radius: number) => Sprite) | null
}

type LineStyle = { readonly alpha: number; readonly inkShare: number }

type PainterOptions = {
  readonly context: CanvasRenderingContext2D
  readonly model: MapModel
  readonly displayed: DisplayedPoints
  /** Four bytes per point, updated in place. */
  readonly colors: Uint8Array
  readonly theme: SceneTheme
  readonly look: Look
}

/** Draws the map on a 2-D canvas with the colors and sizes of the shaders of the 3-D scene. */
export const createPainter = ({ context, model, displayed, colors, theme, look }: PainterOptions) => {
  const ground = parseHex(theme.ground)
  const ink = parseHex(theme.ink)
  const hasGlows = model.count <= MAX_GLOWING_POINTS
  // With more points each glow is fainter and smaller, which keeps the overall brightness constant.
  const glowAlpha = theme.glow * Math.min(1, Math.max(0.3, 6 * model.count ** -0.36)) * FADE.glow
  const glowReach = look.glow.reach * Math.min(1, Math.max(0.5, 1 - 0.125 * Math.log2(model.count / 600)))
  const density = estimateDensity(model, look.haze)

  let styles: Style[] = []
  const styleOf = new Uint16Array(model.count)
  /** All points, those in front last: highlighted ones after dimmed ones, and within each by falling index. */
  const order = new Uint32Array(model.count)
  let lineParts: readonly number[] = [0, 0, 0]
  const lineEnds = new Uint32Array(countLineEnds(model))
  let state: MapState
  let haze: { readonly canvas: HTMLCanvasElement; readonly map: DensityMap } | null = null
  let isHazeStale = true
  let groundCanvas: HTMLCanvasElement | null = null

  const createStyle = (color: Rgb, isHighlighted: boolean, isHollow: boolean): Style => {
    const luminance = 0.3 * color[0] + 0.5 * color[1] + 0.2 * color[2]
    const gray = mixColors(ground, [luminance, luminance, luminance], look.point.dimmedOpacity)
    const faded = mixColors(isHighlighted ? color : gray, ground, FADE.disc)
    const sheen = isHighlighted ? theme.sheen * (1 - FADE.disc) : 0
    return {
      color,
      isHighlighted,
      disc: createDiscSprites({ color: faded, isHollow, sheen }, ground),
      glow: isHighlighted && hasGlows ? createGlowSprites(color) : null,
    }
  }

  const updateColors = () => {
    styles = []
    const known = new Map<number, number>()
    for (let i = 0; i < model.count; i++) {
      const color: Rgb = [colors[4 * i]!, colors[4 * i + 1]!, colors[4 * i + 2]!]
      const isHighlighted = colors[4 * i + 3] !== 0
      const isHollow = model.levels[i]! < 1.5
      const key = (((color[0] << 16) | (color[1] << 8) | color[2]) << 2) + (isHighlighted ? 2 : 0) + (isHollow ? 1 : 0)
      let style = known.get(key)
      if (style === undefined) {
        style = styles.push(createStyle(color, isHighlighted, isHollow)) - 1
        known.set(key, style)
      }
      styleOf[i] = style
    }
    let end = 0
    for (const isHighlighted of [false, true])
      for (let i = model.count - 1; i >= 0; i--)
        if (styles[styleOf[i]!]!.isHighlighted === isHighlighted) order[end++] = i
    isHazeStale = true
  }

  const update = (next: MapState, before: MapState | null) => {
    state = next
    if (!before || linesChanged(next, before)) lineParts = writeLines(model, next, lineEnds)
    if (!before || next.coloring !== before.coloring || highlightChanged(next, before)) isHazeStale = true
  }

  const drawGround = (width: number, height: number) => {
    if (groundCanvas?.width !== width || groundCanvas.height !== height) {
      groundCanvas = document.createElement("canvas")
      groundCanvas.width = width
      groundCanvas.height = height
      const target = groundCanvas.getContext("2d", { alpha: false })!
      // A circle in a square of which the sides are scaled to the radii of the ellipse.
      target.setTransform(GROUND.radiusX * width, 0, 0, GROUND.radiusY * height, GROUND.x * width, GROUND.y * height)
      const gradient = target.createRadialGradient(0, 0, 0, 0, 0, 1)
      gradient.addColorStop(0, theme.ground)
      gradient.addColorStop(1, theme.edge)
      target.fillStyle = gradient
      target.fillRect(-2, -2, 4, 4)
    }
    context.drawImage(groundCanvas, 0, 0)
  }

  const updateHaze = () => {
    isHazeStale = false
    const map = computeDensity({
      positions: displayed.positions,
      sample: density.sample,
      colors,
      kernel: density.kernel,
      weight: density.weight * FADE.haze,
    })
    const isByPlace = state.coloring === "region" || state.coloring === "cluster"
    const canvas = haze?.canvas ?? document.createElement("canvas")
    canvas.width = map.width
    canvas.height = map.height
    const pixels = paintHaze(map, isByPlace ? theme.haze : theme.otherHaze, look.haze.contour)
    canvas.getContext("2d")!.putImageData(new ImageData(pixels, map.width, map.height), 0, 0)
    haze = { canvas, map }
  }

  const drawHaze = ({ pose, view, ratio }: Frame) => {
    if (isHazeStale) updateHaze()
    const { canvas, map } = haze!
    const scale = scaleOf(pose, view) * ratio
    const center = centerOf(view)
    const x = center.x * ratio + (map.left - pose.x) * scale
    const y = center.y * ratio - (map.top - pose.y) * scale
    context.drawImage(canvas, x, y, map.width * map.texel * scale, map.height * map.texel * scale)
  }

  const radiusOf = (i: number, pose: PlanePose, minRadius: number, isHighlighted: boolean): number => {
    const least = isHighlighted ? minRadius : look.point.minRadiusPx
    const px = Math.max(least, screenRadius(model.radii[i]!, pose.distance, displayed.focal, look.point))
    return isHighlighted ? px : px * look.point.dimmedScale
  }

  /** Calls `draw` with each point that can be seen, and the radius of its disc in CSS pixels. */
  const forEachVisible = (
    { pose, view: { width, height } }: Frame,
    reach: number,
    draw: (i: number, style: Style, radius: number) => void,
  ) => {
    const { x, y } = displayed.screen
    const minRadius = state.hits ? look.point.minHitRadiusPx : look.point.minRadiusPx
    const margin = look.point.maxRadiusPx * reach
    for (const i of order) {
      if (x[i]! < -margin || x[i]! > width + margin || y[i]! < -margin || y[i]! > height + margin) continue
      const style = styles[styleOf[i]!]!
      draw(i, style, radiusOf(i, pose, minRadius, style.isHighlighted))
    }
  }

  const drawSprite = ({ canvas, half }: Sprite, x: number, y: number) =>
    context.drawImage(canvas, Math.round(x) - half, Math.round(y) - half)

  const drawGlows = (frame: Frame) => {
    const { x, y } = displayed.screen
    const { ratio } = frame
    context.globalAlpha = glowAlpha
    forEachVisible(frame, look.glow.reach, (i, style, radius) => {
      if (style.glow && i !== state.selected)
        drawSprite(style.glow(glowReach * radius * ratio), x[i]! * ratio, y[i]! * ratio)
    })
    context.globalAlpha = 1
  }

  /** Draws lines with each half in the color of its end. Lines of a color are one path, which is much faster. */
  const drawLines = (from: number, to: number, { alpha, inkShare }: LineStyle, { view, ratio }: Frame) => {
    const { x, y } = displayed.screen
    const paths = new Map<Style, Path2D>()
    const pathOf = (style: Style): Path2D => {
      const known = paths.get(style)
      if (known) return known
      const path = new Path2D()
      paths.set(style, path)
      return path
    }
    for (let k = from; k < to; k += 2) {
      const [a, b] = [lineEnds[k]!, lineEnds[k + 1]!]
      const [ax, ay, bx, by] = [x[a]!, y[a]!, x[b]!, y[b]!]
      if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > view.width) continue
      if (Math.max(ay, by) < 0 || Math.min(ay, by) > view.height) continue
      const [styleA, styleB] = [styles[styleOf[a]!]!, styles[styleOf[b]!]!]
      const middle = styleA === styleB ? 1 : 0.5
      const path = pathOf(styleA)
      path.moveTo(ax * ratio, ay * ratio)
      path.lineTo((ax + middle * (bx - ax)) * ratio, (ay + middle * (by - ay)) * ratio)
      if (middle === 1) continue
      const other = pathOf(styleB)
      other.moveTo(bx * ratio, by * ratio)
      other.lineTo((ax + 0.5 * (bx - ax)) * ratio, (ay + 0.5 * (by - ay)) * ratio)
    }
    context.lineWidth = Math.max(1, 0.75 * ratio)
    for (const [{ color, isHighlighted }, path] of paths) {
      context.globalAlpha = alpha * FADE.line * (isHighlighted ? 1 : DIMMED_LINE_SHARE)
      context.strokeStyle = toCss(mixColors(color, ink, inkShare))
      context.stroke(path)
    }
    context.globalAlpha = 1
  }

  const drawAllLines = (frame: Frame) => {
    const { edge } = look
    const lineStyles: LineStyle[] = [
      { alpha: theme.line * lineDensity(model), inkShare: 0 },
      { alpha: edge.openOpacity, inkShare: edge.openInkShare },
      { alpha: edge.pathOpacity, inkShare: edge.pathInkShare },
    ]
    let from = 0
    lineParts.forEach((size, part) => {
      if (size > 0) drawLines(from, from + size, lineStyles[part]!, frame)
      from += size
    })
  }

  const drawDiscs = (frame: Frame) => {
    const { x, y } = displayed.screen
    const { ratio } = frame
    forEachVisible(frame, 1, (i, style, radius) => {
      if (i !== state.selected) drawSprite(style.disc(radius * ratio), x[i]! * ratio, y[i]! * ratio)
    })
  }

  /** Draws the open topic over all others, in full color and with a ring. */
  const drawSelected = ({ pose, ratio }: Frame) => {
    const { selected } = state
    if (selected === NONE) return
    const [x, y] = [displayed.screen.x[selected]! * ratio, displayed.screen.y[selected]! * ratio]
    const minRadius = state.hits ? look.point.minHitRadiusPx : look.point.minRadiusPx
    const radius = emphasizedRadius(radiusOf(selected, pose, minRadius, true), look.point) * ratio
    const { color } = styles[styleOf[selected]!]!
    context.globalAlpha = glowAlpha / FADE.glow
    drawSprite(createGlowSprites(color)(look.glow.reach * radius), x, y)
    context.globalAlpha = 1
    const isHollow = model.levels[selected]! < 1.5
    drawSprite(createDiscSprites({ color, isHollow, sheen: theme.sheen }, ground)(radius), x, y)
    drawRing(context, x, y, radius, look.point, theme.ink)
  }

  return {
    /** Must be called after the colors have changed. */
    updateColors,
    /** Takes over what the state changes in the drawing: highlighted points, colors and lines. */
    update,
    /** Must be called after points have moved. */
    markMoved() {
      isHazeStale = true
    },
    draw(frame: Frame) {
      const { view, ratio } = frame
      const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)]
      context.setTransform(1, 0, 0, 1, 0, 0)
      drawGround(width, height)
      drawHaze(frame)
      if (hasGlows) drawGlows(frame)
      drawAllLines(frame)
      drawDiscs(frame)
      drawSelected(frame)
    },
  }
}

export type Painter = ReturnType<typeof createPainter>
