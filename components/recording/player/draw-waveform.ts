import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { getHue } from "../../ui/hues.ts"
import type { Topic } from "../topics/topic-list.ts"

const BAR_PX = 2
const GAP_PX = 1
/** Where nobody has said how loud it was: how much was spoken, in so many slices. */
const SPEECH_PEAKS = 1200

/** How much of each slice is speech, as peaks of 0 to 255. */
export const computeSpeechPeaks = (words: readonly WordSpan[], duration: number): number[] => {
  const peaks = new Array<number>(SPEECH_PEAKS).fill(0)
  if (duration <= 0) return peaks
  const slice = duration / SPEECH_PEAKS
  for (const { start, end } of words)
    for (let i = Math.max(0, Math.floor(start / slice)); i < SPEECH_PEAKS && i * slice < end; i++) {
      const share = (Math.min(end, (i + 1) * slice) - Math.max(start, i * slice)) / slice
      peaks[i] = Math.min(1, peaks[i]! + share)
    }
  return peaks.map((share) => Math.round(255 * 0.75 * Math.sqrt(share)))
}

type WaveformStyle = {
  readonly peaks: readonly number[]
  readonly duration: number
  readonly topics: readonly Topic[]
  /** The colour where no topic lies. */
  readonly plain: string
  readonly lightness: string
  readonly chroma: string
}

/** Draws the bars over the whole canvas, each in the colour of the topic at its time. */
export const drawWaveform = (canvas: HTMLCanvasElement, wave: WaveformStyle): void => {
  const { clientWidth: width, clientHeight: height } = canvas
  const ratio = Math.min(2, window.devicePixelRatio || 1)
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  const context = canvas.getContext("2d")
  if (!context || width === 0 || wave.peaks.length === 0) return
  context.scale(ratio, ratio)
  const groups = wave.topics.filter((t) => t.level === 2)
  const bars = Math.floor((width + GAP_PX) / (BAR_PX + GAP_PX))
  let at = 0
  for (let bar = 0; bar < bars; bar++) {
    const time = ((bar + 0.5) / bars) * wave.duration
    while (at < groups.length - 1 && groups[at + 1]!.node.start_s <= time) at++
    const group = groups[at]
    const inside = group && time >= group.node.start_s && time <= group.node.end_s
    context.fillStyle = inside ? `oklch(${wave.lightness} ${wave.chroma} ${getHue(group.group)})` : wave.plain
    const from = Math.floor((bar * wave.peaks.length) / bars)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * wave.peaks.length) / bars))
    let peak = 0
    for (let i = from; i < to; i++) peak = Math.max(peak, wave.peaks[i] ?? 0)
    const tall = Math.max(2, (peak / 255) * height)
    context.beginPath()
    context.roundRect(bar * (BAR_PX + GAP_PX), (height - tall) / 2, BAR_PX, tall, 1)
    context.fill()
  }
}
