"use client"
import { useEffect } from "react"
import { type KeyHint, useKeyHints } from "../../shell/keys/keys-store.ts"
import { isTyping } from "../../ui/is-typing.ts"
import { getCurrentTime, seek, togglePlayback } from "./player.ts"

const STEP_S = 5

const HINTS: readonly KeyHint[] = [
  { keys: ["Space", "K"], action: "Play or pause" },
  { keys: ["J", "L"], action: "Back, forward 5 seconds" },
  { keys: ["/"], action: "Search in the transcript" },
  { keys: ["←", "→"], action: "On the timeline: back, forward 5 seconds" },
  { keys: ["Page Up", "Page Down"], action: "On the timeline: previous, next topic" },
]

/** Returns true if the focused element handles the key: a button handles Space, a menu or dialog handles every key. */
const isHandledByFocus = ({ target, key }: KeyboardEvent): boolean =>
  target instanceof Element &&
  (target.closest("[role=menu], [role=dialog]") !== null ||
    (key === " " && target.closest("button, a, summary, [role=slider]") !== null))

/** Adds keyboard shortcuts: Space and K play or pause, J and L skip 5 seconds back and forward. */
export const usePlayerKeys = (): void => {
  useKeyHints("Recording", HINTS)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || isHandledByFocus(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const keys: Record<string, () => void> = {
        " ": togglePlayback,
        k: togglePlayback,
        j: () => seek(getCurrentTime() - STEP_S),
        l: () => seek(getCurrentTime() + STEP_S),
      }
      const run = keys[event.key]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
}
