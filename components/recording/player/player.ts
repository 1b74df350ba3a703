import { useSyncExternalStore } from "react"
import { create } from "zustand"

type PlayerState = {
  readonly isPlaying: boolean
  readonly rate: number
  /** The playback time in whole seconds, for text. Animations use `subscribeToTime` instead. */
  readonly second: number
  /** `loading` until the audio or its absence is known. */
  readonly audio: "loading" | "present" | "absent"
  /** Why playback failed. */
  readonly problem: string | null
  /** True while the transcript scrolls along with playback. */
  readonly isFollowing: boolean
  /** Incremented by every seek, including one to the current position. */
  readonly seekCount: number
}

const INITIAL_STATE: PlayerState = {
  isPlaying: false,
  rate: 1,
  second: 0,
  audio: "loading",
  problem: null,
  isFollowing: true,
  seekCount: 0,
}

export const usePlayer = create<PlayerState>(() => INITIAL_STATE)

let audio: HTMLAudioElement | null = null
/** The position while there is no audio, or none loaded yet. */
let position_s = 0
let duration_s = 0
let frame = 0

const listeners = new Set<(time: number) => void>()

/** Calls `listener` with the time in seconds on every frame while playing and on every seek. @returns an unsubscribe function */
export const subscribeToTime = (listener: (time: number) => void): (() => void) => {
  listeners.add(listener)
  listener(getCurrentTime())
  return () => listeners.delete(listener)
}

export const getCurrentTime = (): number => (audio && audio.readyState > 0 ? audio.currentTime : position_s)

/** Returns `derive(time)` for the current time and renders only when the result changes. `derive` must be pure. */
export const useTimeDerived = <T>(derive: (time: number) => T, initialValue: T): T =>
  useSyncExternalStore(
    subscribeToTime,
    () => derive(getCurrentTime()),
    () => initialValue,
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

/** Connects the player to the page's audio element. @returns a function that disconnects it */
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

/** Seeks to a time in seconds and lets the transcript follow playback again. */
export const seek = (to: number): void => {
  position_s = Math.max(0, Math.min(duration_s || to, to))
  if (audio && audio.readyState > 0) audio.currentTime = position_s
  usePlayer.setState(({ seekCount }) => ({ isFollowing: true, seekCount: seekCount + 1 }))
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
