"use client"
import { create } from "zustand"

/** A stretch of a recording, in seconds. */
export type Stretch = { readonly clip: string; readonly from: number; readonly to: number }

type Queue = {
  /** What is being heard of the gathered topics; null: nothing. */
  readonly now: Stretch | null
  readonly rest: readonly Stretch[]
}

/** Topics that are played one after the other, by the player that every page has. */
export const useQueue = create<Queue>()(() => ({ now: null, rest: [] }))

export const listen = ([now, ...rest]: readonly Stretch[]): void => useQueue.setState({ now: now ?? null, rest })
export const next = (): void => listen(useQueue.getState().rest)
