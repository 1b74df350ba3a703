"use client"
import { useEffect, useRef } from "react"
import type { KeyHint } from "../../shell/keys/keys-store.ts"
import { isTyping } from "../../ui/is-typing.ts"
import type { ClipRow } from "./library-params.ts"

type LibraryKeys = {
  readonly clips: readonly ClipRow[]
  readonly scrollTo: (index: number) => void
  readonly onSelect: (id: string) => void
  readonly onRename: (clip: ClipRow) => void
  readonly onTag: (clip: ClipRow) => void
  readonly onSearch: () => void
  readonly onEscape: () => void
}

/** The keys of the library, as the help lists them. */
export const LIBRARY_KEYS: readonly KeyHint[] = [
  { keys: ["J", "K"], action: "Next, previous recording" },
  { keys: ["Enter"], action: "Open the recording" },
  { keys: ["X"], action: "Select the recording" },
  { keys: ["E"], action: "Rename the recording" },
  { keys: ["T"], action: "Tag the recording" },
  { keys: ["/"], action: "Search the library" },
  { keys: ["Esc"], action: "Clear the selection" },
]

const focusRow = (id: string): boolean => {
  const row = document.querySelector(`[data-clip="${CSS.escape(id)}"]`)
  const link = row?.querySelector<HTMLElement>("[data-row-link]")
  link?.focus({ preventScroll: true })
  return link !== null && link !== undefined
}

/** Handles the keys of the library. The recording whose title has the focus is the current one. */
export const useLibraryKeys = (keys: LibraryKeys): void => {
  const latest = useRef(keys)
  latest.current = keys
  /** The recording that was current last, because a row that is scrolled out of view loses the focus. */
  const current = useRef<string | null>(null)
  useEffect(() => {
    const findCurrent = (): number => {
      const focused = document.activeElement?.closest<HTMLElement>("[data-clip]")?.dataset.clip
      current.current = focused ?? current.current
      return latest.current.clips.findIndex(({ id }) => id === current.current)
    }
    const moveTo = (index: number): void => {
      const clip = latest.current.clips[index]
      if (!clip) return
      current.current = clip.id
      latest.current.scrollTo(index)
      // The row may be rendered only after the list has scrolled.
      let tries = 0
      const focus = () => {
        if (!focusRow(clip.id) && tries++ < 10) requestAnimationFrame(focus)
      }
      focus()
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return
      if (isTyping(event) || document.querySelector("[role=dialog], [role=menu]")) return
      const { clips, onSelect, onRename, onTag, onSearch, onEscape } = latest.current
      const index = findCurrent()
      const clip = clips[index]
      if (event.key === "j") moveTo(Math.min(index + 1, clips.length - 1))
      else if (event.key === "k") moveTo(Math.max(index - 1, 0))
      else if (event.key === "x" && clip) onSelect(clip.id)
      else if (event.key === "e" && clip) onRename(clip)
      else if (event.key === "t" && clip) onTag(clip)
      else if (event.key === "/") onSearch()
      else if (event.key === "Escape") onEscape()
      else return
      event.preventDefault()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
}
