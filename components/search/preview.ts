"use client"
import { create } from "zustand"
import { client } from "../api/client.ts"
import { togglePlayback, usePlayer } from "../recording/player/player.ts"
import { notifyError } from "../ui/toast-queue.ts"

/** How long a hit is played, in seconds. */
const PREVIEW_S = 15

/** The hit that is being played. */
export const usePreview = create<{ readonly playing: string | null }>(() => ({ playing: null }))

let audio: HTMLAudioElement | null = null

const stop = (): void => {
  audio?.pause()
  usePreview.setState({ playing: null })
}

/** Plays a recording from a time for some seconds, or stops if this is playing. One hit plays at a time. */
export const togglePreview = (key: string, clipId: string, start_s: number): void => {
  const wasPlaying = usePreview.getState().playing === key
  stop()
  if (wasPlaying) return
  audio ??= new Audio()
  const element = audio
  if (usePlayer.getState().isPlaying) togglePlayback()
  element.src = `${client.audioUrl(clipId)}#t=${start_s},${start_s + PREVIEW_S}`
  element.onended = stop
  element.onpause = () => usePreview.getState().playing === key && stop()
  element.onerror = () => {
    stop()
    notifyError("No audio is attached to this recording.")
  }
  usePreview.setState({ playing: key })
  element.play().catch(() => undefined)
}
