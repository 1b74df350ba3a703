"use client"
import { useEffect } from "react"
import { isWriting } from "../ui/writing.ts"
import { now, seek, toggle } from "./player/player.ts"

const STEP_S = 5

/** Whether a key belongs to what has the focus: a button takes the space bar, a menu takes all. */
const isTaken = ({ target, key }: KeyboardEvent): boolean =>
  target instanceof Element &&
  (target.closest("[role=menu], [role=dialog]") !== null ||
    (key === " " && target.closest("button, a, summary, [role=slider]") !== null))

/** Space plays and pauses, J and L go back and forth by five seconds, K pauses too: as players everywhere. */
export const useKeys = (): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isWriting(event) || isTaken(event) || event.ctrlKey || event.metaKey || event.altKey) return
      const keys: Record<string, () => void> = {
        " ": toggle,
        k: toggle,
        j: () => seek(now() - STEP_S),
        l: () => seek(now() + STEP_S),
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
