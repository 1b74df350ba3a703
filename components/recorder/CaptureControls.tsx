"use client"
import { useEffect, useRef, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { formatClock } from "../ui/format.ts"
import type { Capture } from "./capture.ts"

const CLOCK_MS = 250

/** A bar as long as the sound of the microphone is loud. */
const LevelMeter = ({ capture }: { capture: Capture }) => {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    let frame = 0
    const draw = () => {
      if (bar.current) bar.current.style.transform = `scaleX(${capture.readLevel().toFixed(3)})`
      frame = requestAnimationFrame(draw)
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [capture])
  return (
    <span aria-hidden="true" className="h-1.5 min-w-12 flex-1 overflow-hidden rounded-full bg-line">
      <span ref={bar} className="block h-full origin-left rounded-full bg-accent" />
    </span>
  )
}

/** The time and loudness of a recording, and buttons to pause and to stop it. */
export const CaptureControls = ({ capture, onStop }: { capture: Capture; onStop: () => Promise<void> }) => {
  const [isPaused, setPaused] = useState(false)
  const [isStopping, setStopping] = useState(false)
  const [second, setSecond] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSecond(capture.recording().duration_s), CLOCK_MS)
    return () => clearInterval(timer)
  }, [capture])
  const toggle = () => {
    if (isPaused) capture.resume()
    else capture.pause()
    setPaused(!isPaused)
  }
  return (
    <div className="flex items-center gap-3">
      <span
        aria-hidden="true"
        className={cx("size-3 shrink-0 rounded-full", isPaused ? "bg-muted" : "bg-bad motion-safe:animate-pulse")}
      />
      <span className="grid shrink-0">
        <span className="text-sm font-[600]">{isPaused ? "Paused" : "Recording"}</span>
        <span role="timer" className="numeric text-xs text-muted">
          {formatClock(second)}
        </span>
      </span>
      <LevelMeter capture={capture} />
      <Button className="h-11" icon={isPaused ? "mic" : "pause"} onClick={toggle} disabled={isStopping}>
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Button
        variant="primary"
        className="h-11"
        icon="stop"
        disabled={isStopping}
        onClick={() => {
          setStopping(true)
          void onStop()
        }}
      >
        Stop
      </Button>
    </div>
  )
}
