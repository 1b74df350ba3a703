import { useSyncExternalStore } from "react"
import { create } from "zustand"

type PlayerState = {
  readonly isPlaying: boolean
  readonly rate: number
  /** The second that is shown; changes a few times a second, for text. What moves follows `onTime`. */
  readonly second: number
  /** Whether there is sound to play. */
  readonly audio: "asking" | "present" | "absent"
  /** Why the sound cannot be played. */
  readonly problem: string | null
  /** The transcript goes along with what is spoken. */
  readonly isFollowing: boolean
  /** How often somebody went to a second: also to the one where they stood already. */
  readonly seekCount: number
}

const INITIAL_STATE: PlayerState = {
  isPlaying: false,
  rate: 1,
  second: 0,
  audio: "asking",
  problem: null,
  isFollowing: true,
  seekCount: 0,
}

export const usePlayer = create<PlayerState>(() => INITIAL_STATE)

let audio: HTMLAudioElement | null = null
/** Where one stands in a recording that has no sound, or none yet. */
let position_s = 0
let duration_s = 0
let frame = 0

const listeners = new Set<(time: number) => void>()

/** Called with the time in seconds at each frame while playing and at each jump. @returns how to stop it */
export const subscribeToTime = (listener: (time: number) => void): (() => void) => {
  listeners.add(listener)
  listener(getCurrentTime())
  return () => listeners.delete(listener)
}

export const getCurrentTime = (): number => (audio && audio.readyState > 0 ? audio.currentTime : position_s)

/** What follows from the time, at each frame: renders only when it changes. `of` gives the same for the same time. */
export const useTimeDerived = <T>(of: (time: number) => T, atFirst: T): T =>
  useSyncExternalStore(
    subscribeToTime,
    () => of(getCurrentTime()),
    () => atFirst,
  )

const notifyListeners = (): void => {
  const time = getCurrentTime()
  for (const listener of listeners) listener(time)
  const second = Math.floor(time)
  if (second !== usePlayer.getState().second) usePlayer.setState({ second })
}

const tick = (): void => {
  notifyListeners()
  frame = requestAnimationFrame(tick)
}

const onPlay = (): void => {
  usePlayer.setState({ isPlaying: true, audio: "present", problem: null })
  cancelAnimationFrame(frame)
  frame = requestAnimationFrame(tick)
}
const onPause = (): void => {
  cancelAnimationFrame(frame)
  usePlayer.setState({ isPlaying: false })
  notifyListeners()
}
const onReady = (): void => {
  if (audio && position_s > 0) audio.currentTime = position_s
  usePlayer.setState({ audio: "present" })
  notifyListeners()
}

/** Takes the page's audio element over, for a recording of so many seconds. @returns how to let it go */
export const attachAudio = (element: HTMLAudioElement | null, seconds: number): (() => void) => {
  audio = element
  duration_s = seconds
  const events = {
    play: onPlay,
    pause: onPause,
    ended: onPause,
    loadedmetadata: onReady,
    seeked: notifyListeners,
  } as const
  for (const [name, run] of Object.entries(events)) element?.addEventListener(name, run)
  if (element && element.readyState > 0) onReady()
  return () => {
    for (const [name, run] of Object.entries(events)) element?.removeEventListener(name, run)
    cancelAnimationFrame(frame)
    audio = null
    position_s = 0
    usePlayer.setState(INITIAL_STATE)
  }
}

/** Goes to a second. The transcript follows again. */
export const seek = (to: number): void => {
  position_s = Math.max(0, Math.min(duration_s || to, to))
  if (audio && audio.readyState > 0) audio.currentTime = position_s
  usePlayer.setState(({ seekCount: sought }) => ({ isFollowing: true, seekCount: sought + 1 }))
  notifyListeners()
}

export const togglePlayback = (): void => {
  if (!audio || usePlayer.getState().audio === "absent") return
  if (audio.paused) audio.play().catch((error: Error) => usePlayer.setState({ problem: error.message }))
  else audio.pause()
}

export const PLAYBACK_RATES = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const

export const setPlaybackRate = (rate: number): void => {
  if (audio) audio.playbackRate = rate
  usePlayer.setState({ rate })
}
