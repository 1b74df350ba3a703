import { useSyncExternalStore } from "react"
import { create } from "zustand"

type PlayerState = {
  readonly playing: boolean
  readonly rate: number
  /** The second that is shown; changes a few times a second, for text. What moves follows `onTime`. */
  readonly second: number
  /** Whether there is sound to play. */
  readonly sound: "asking" | "present" | "absent"
  /** Why the sound cannot be played. */
  readonly problem: string | null
  /** The transcript goes along with what is spoken. */
  readonly follow: boolean
  /** How often somebody went to a second: also to the one where they stood already. */
  readonly sought: number
}

const START: PlayerState = {
  playing: false,
  rate: 1,
  second: 0,
  sound: "asking",
  problem: null,
  follow: true,
  sought: 0,
}

export const usePlayer = create<PlayerState>(() => START)

let audio: HTMLAudioElement | null = null
/** Where one stands in a recording that has no sound, or none yet. */
let place = 0
let length = 0
let frame = 0

const listeners = new Set<(time: number) => void>()

/** Called with the time in seconds at each frame while playing and at each jump. @returns how to stop it */
export const onTime = (listener: (time: number) => void): (() => void) => {
  listeners.add(listener)
  listener(now())
  return () => listeners.delete(listener)
}

export const now = (): number => (audio && audio.readyState > 0 ? audio.currentTime : place)

/** What follows from the time, at each frame: renders only when it changes. `of` gives the same for the same time. */
export const useAtTime = <T>(of: (time: number) => T, atFirst: T): T =>
  useSyncExternalStore(
    onTime,
    () => of(now()),
    () => atFirst,
  )

const tell = (): void => {
  const time = now()
  for (const listener of listeners) listener(time)
  const second = Math.floor(time)
  if (second !== usePlayer.getState().second) usePlayer.setState({ second })
}

const run = (): void => {
  tell()
  frame = requestAnimationFrame(run)
}

const onPlay = (): void => {
  usePlayer.setState({ playing: true, sound: "present", problem: null })
  cancelAnimationFrame(frame)
  frame = requestAnimationFrame(run)
}
const onPause = (): void => {
  cancelAnimationFrame(frame)
  usePlayer.setState({ playing: false })
  tell()
}
const onReady = (): void => {
  if (audio && place > 0) audio.currentTime = place
  usePlayer.setState({ sound: "present" })
  tell()
}

/** Takes the page's audio element over, for a recording of so many seconds. @returns how to let it go */
export const attach = (element: HTMLAudioElement | null, seconds: number): (() => void) => {
  audio = element
  length = seconds
  const events = { play: onPlay, pause: onPause, ended: onPause, loadedmetadata: onReady, seeked: tell } as const
  for (const [name, run] of Object.entries(events)) element?.addEventListener(name, run)
  if (element && element.readyState > 0) onReady()
  return () => {
    for (const [name, run] of Object.entries(events)) element?.removeEventListener(name, run)
    cancelAnimationFrame(frame)
    audio = null
    place = 0
    usePlayer.setState(START)
  }
}

/** Goes to a second. The transcript follows again. */
export const seek = (to: number): void => {
  place = Math.max(0, Math.min(length || to, to))
  if (audio && audio.readyState > 0) audio.currentTime = place
  usePlayer.setState(({ sought }) => ({ follow: true, sought: sought + 1 }))
  tell()
}

export const toggle = (): void => {
  if (!audio || usePlayer.getState().sound === "absent") return
  if (audio.paused) audio.play().catch((error: Error) => usePlayer.setState({ problem: error.message }))
  else audio.pause()
}

export const RATES = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const

export const setRate = (rate: number): void => {
  if (audio) audio.playbackRate = rate
  usePlayer.setState({ rate })
}
