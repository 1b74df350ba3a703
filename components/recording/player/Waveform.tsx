"use client"
import { useEffect, useRef } from "react"
import { cx } from "../../ui/cx.ts"
import { useDark } from "../../ui/use-media.ts"
import type { Topic } from "../topics/topic-list.ts"
import { drawWaveform } from "./draw-waveform.ts"
import { subscribeToTime } from "./player.ts"

type WaveformProps = { peaks: readonly number[]; duration: number; topics: readonly Topic[] }

/** The waveform, drawn twice: faded, and on top in full color up to the playback position. */
export const Waveform = ({ peaks, duration, topics }: WaveformProps) => {
  const unplayed = useRef<HTMLCanvasElement>(null)
  const played = useRef<HTMLCanvasElement>(null)
  const dark = useDark()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect reads colors that depend on the theme
  useEffect(() => {
    const draw = () => {
      const style = getComputedStyle(document.documentElement)
      const plain = style.getPropertyValue("--line-strong")
      for (const { current } of [unplayed, played])
        if (current) drawWaveform(current, { peaks, duration, topics, plain, style })
    }
    // The observer calls it at once, and again for each new size.
    const sizes = new ResizeObserver(draw)
    if (unplayed.current) sizes.observe(unplayed.current)
    return () => sizes.disconnect()
  }, [peaks, duration, topics, dark])
  useEffect(
    () =>
      subscribeToTime((time) => {
        const part = duration > 0 ? Math.min(1, time / duration) : 0
        if (played.current) played.current.style.clipPath = `inset(0 ${(1 - part) * 100}% 0 0)`
      }),
    [duration],
  )
  const canvas = "absolute inset-0 size-full transition-opacity duration-300"
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <canvas ref={unplayed} className={cx(canvas, peaks.length > 0 ? "opacity-35" : "opacity-0")} />
      <canvas ref={played} className={cx(canvas, peaks.length > 0 ? "opacity-100" : "opacity-0")} />
    </div>
  )
}
