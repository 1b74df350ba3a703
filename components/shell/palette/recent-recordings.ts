"use client"
import { useSyncExternalStore } from "react"

export type RecentRecording = { readonly id: string; readonly title: string }

const KEY = "earmark.recent"
const MAX_RECENT = 6
const NONE: readonly RecentRecording[] = []

let cached: { text: string | null; list: readonly RecentRecording[] } = { text: null, list: NONE }

const isRecording = (value: unknown): value is RecentRecording =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as RecentRecording).id === "string" &&
  typeof (value as RecentRecording).title === "string"

const read = (): readonly RecentRecording[] => {
  try {
    const text = window.localStorage.getItem(KEY)
    if (text !== cached.text) {
      const stored: unknown = JSON.parse(text ?? "[]")
      cached = { text, list: Array.isArray(stored) ? stored.filter(isRecording).slice(0, MAX_RECENT) : NONE }
    }
    return cached.list
  } catch {
    // Storage is disabled, or holds something else.
    return NONE
  }
}

/** Remembers that a recording was opened in this browser, for the palette. */
export const rememberRecording = ({ id, title }: RecentRecording): void => {
  try {
    const others = read().filter((recording) => recording.id !== id)
    window.localStorage.setItem(KEY, JSON.stringify([{ id, title }, ...others].slice(0, MAX_RECENT)))
  } catch {
    // See above.
  }
}

const subscribe = (changed: () => void) => {
  window.addEventListener("storage", changed)
  return () => window.removeEventListener("storage", changed)
}

/** Returns the recordings that were opened last in this browser, the latest first. */
export const useRecentRecordings = (): readonly RecentRecording[] => useSyncExternalStore(subscribe, read, () => NONE)
