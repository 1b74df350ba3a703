"use client"
import { useEffect, useMemo, useRef } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { getHue, SPEAKER_HUE_OFFSET } from "../../ui/hues.ts"
import { useDark } from "../../ui/use-media.ts"
import type { Speaker } from "../speakers/speakers.ts"
import { countLanes, listSpeechSpans } from "./speaker-lanes.ts"

const LINE_PX = 3
const LANE_PX = 5

type SpeakerLanesProps = { words: readonly WordSpan[]; speakers: readonly Speaker[]; duration: number }

/** Shows who speaks when: one thin line for each speaker, or a single one if the speakers are unknown. */
export const SpeakerLanes = ({ words, speakers, duration }: SpeakerLanesProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDark()
  const spans = useMemo(() => listSpeechSpans(words, speakers), [words, speakers])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect reads colors that depend on the theme
  useEffect(() => {
    const { current } = canvas
    if (!current || duration <= 0) return
    const draw = () => {
      const ratio = Math.min(2, window.devicePixelRatio || 1)
      const width = current.clientWidth
      current.width = Math.round(width * ratio)
      current.height = Math.round(current.clientHeight * ratio)
      const context = current.getContext("2d")
      if (!context) return
      context.scale(ratio, ratio)
      const style = getComputedStyle(document.documentElement)
      const [lightness, chroma, muted] = ["--tint-l", "--tint-c", "--muted"].map((name) => style.getPropertyValue(name))
      for (const { lane, rank, start_s, end_s } of spans) {
        context.fillStyle =
          rank === null ? muted! : `oklch(${lightness} ${chroma} ${getHue(SPEAKER_HUE_OFFSET + rank)})`
        const left = (start_s / duration) * width
        context.fillRect(left, lane * LANE_PX + 1, Math.max(1, (end_s / duration) * width - left), LINE_PX)
      }
    }
    draw()
    const sizes = new ResizeObserver(draw)
    sizes.observe(current)
    return () => sizes.disconnect()
  }, [spans, duration, dark])
  return <canvas ref={canvas} className="w-full" style={{ height: countLanes(speakers) * LANE_PX }} />
}
