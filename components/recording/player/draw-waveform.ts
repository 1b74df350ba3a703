import { resolveColor } from "../../ui/hues.ts"
import type { Topic } from "../topics/topic-list.ts"

const BAR_PX = 2
const GAP_PX = 1

type WaveformStyle = {
  readonly peaks: readonly number[]
  readonly duration: number
  readonly topics: readonly Topic[]
  /** The color outside topics. */
  readonly plain: string
  /** The style that the colors of topics refer to. */
  readonly style: CSSStyleDeclaration
}

/** Draws the peaks as bars, each in the color of the topic at its time. */
export const drawWaveform = (canvas: HTMLCanvasElement, wave: WaveformStyle): void => {
  const { clientWidth, clientHeight } = canvas
  const ratio = Math.min(2, window.devicePixelRatio || 1)
  canvas.width = Math.round(clientWidth * ratio)
  canvas.height = Math.round(clientHeight * ratio)
  const context = canvas.getContext("2d")
  if (!context || clientWidth === 0 || wave.peaks.length === 0) return
  context.scale(ratio, ratio)
  const groups = wave.topics.filter((t) => t.level === 2)
  const colors = groups.map(({ color }) => resolveColor(color, wave.style))
  const bars = Math.floor((clientWidth + GAP_PX) / (BAR_PX + GAP_PX))
  // One path per color: a few hundred paths take several times as long.
  const paths = new Map<string, Path2D>()
  let at = 0
  for (let bar = 0; bar < bars; bar++) {
    const time = ((bar + 0.5) / bars) * wave.duration
    while (at < groups.length - 1 && groups[at + 1]!.node.start_s <= time) at++
    const group = groups[at]
    const inside = group && time >= group.node.start_s && time <= group.node.end_s
    const color = inside ? colors[at]! : wave.plain
    const from = Math.floor((bar * wave.peaks.length) / bars)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * wave.peaks.length) / bars))
    let peak = 0
    for (let i = from; i < to; i++) peak = Math.max(peak, wave.peaks[i] ?? 0)
    const tall = Math.max(2, (peak / 255) * clientHeight)
    const path = paths.get(color) ?? new Path2D()
    paths.set(color, path)
    path.roundRect(bar * (BAR_PX + GAP_PX), (clientHeight - tall) / 2, BAR_PX, tall, 1)
  }
  for (const [color, path] of paths) {
    context.fillStyle = color
    context.fill(path)
  }
}
