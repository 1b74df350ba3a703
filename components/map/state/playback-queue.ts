"use client"
import { create } from "zustand"

/** A time range of a recording, in seconds. */
export type ClipRange = { readonly clip: string; readonly from: number; readonly to: number }

type PlaybackQueue = {
  /** The range that plays now; null if the queue is empty. */
  readonly now: ClipRange | null
  readonly rest: readonly ClipRange[]
}

/** Topics to play one after another. They play in the player that all pages share. */
export const usePlaybackQueue = create<PlaybackQueue>()(() => ({ now: null, rest: [] }))

export const playAll = ([now, ...rest]: readonly ClipRange[]): void =>
  usePlaybackQueue.setState({ now: now ?? null, rest })
export const playNext = (): void => playAll(usePlaybackQueue.getState().rest)
