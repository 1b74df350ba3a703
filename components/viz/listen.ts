"use client"
import { create } from "zustand"

/** A stretch of a recording, in seconds. */
export type Stretch = { readonly clip: string; readonly from: number; readonly to: number; readonly point: number }

type Listening = {
  /** What is being heard, or would be at the next press; null: nothing was asked for yet. */
  readonly now: Stretch | null
  readonly playing: boolean
  readonly second: number
  /** Why nothing is heard. */
  readonly problem: string | null
  /** What follows by itself. */
  readonly queue: readonly Stretch[]
}

export const useListening = create<Listening>()(() => ({
  now: null,
  playing: false,
  second: 0,
  problem: null,
  queue: [],
}))

const set = useListening.setState
const get = useListening.getState

const NO_SOUND = "This recording cannot be played: its file is not there, or the browser does not know its format."

let element: HTMLAudioElement | null = null
/** One player for the whole page, made at the first press: two recordings never sound at once. */
const player = (): HTMLAudioElement => {
  if (element) return element
  element = new Audio()
  element.preload = "none"
  element.addEventListener("timeupdate", () => {
    const { now } = get()
    if (!element || !now) return
    set({ second: element.currentTime })
    if (element.currentTime >= now.to && !element.paused) next()
  })
  element.addEventListener("play", () => set({ playing: true, problem: null }))
  element.addEventListener("pause", () => set({ playing: false }))
  element.addEventListener("ended", next)
  element.addEventListener("error", () => get().now && set({ playing: false, problem: NO_SOUND, queue: [] }))
  return element
}

const next = () => {
  const [first, ...queue] = get().queue
  if (!first) return element?.pause()
  start(first, queue)
}

let addressOf: (clip: string) => string = () => ""

const start = (stretch: Stretch, queue: readonly Stretch[], at = stretch.from) => {
  const audio = player()
  const url = addressOf(stretch.clip)
  set({ now: stretch, queue, second: at, problem: null })
  if (audio.getAttribute("src") !== url) audio.src = url
  audio.currentTime = at
  // A press of pause while it loads ends the promise; an error has its own event.
  audio.play().catch(() => {})
}

/** Plays stretches one after the other. @param audioUrl where a recording is found. */
export const listen = (stretches: readonly Stretch[], audioUrl: (clip: string) => string, at?: number) => {
  const [first, ...queue] = stretches
  if (!first) return
  addressOf = audioUrl
  start(first, queue, at)
}

export const pause = () => element?.pause()

/** Goes on where it was paused. */
export const resume = () => {
  element?.play().catch(() => {})
}

/** Silence, for a page that is left. */
export const hush = () => {
  set({ now: null, playing: false, queue: [], problem: null })
  if (!element) return
  element.pause()
  element.removeAttribute("src")
  element.load()
}
