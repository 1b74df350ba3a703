"use client"
import { type ReactNode, type RefObject, useEffect, useState } from "react"
import { joinSpoken } from "#lib/domain/text/join-spoken.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { copyText } from "../../ui/copy-text.ts"
import { formatClock } from "../../ui/format.ts"
import { Icon, type IconName } from "../../ui/Icon.tsx"
import { seek, togglePlayback, usePlayer } from "../player/player.ts"
import { useRecording } from "../recording-context.ts"
import { getRecordingUrl } from "../recording-url.ts"
import { findSelectedWords, type WordRange } from "./selected-words.ts"

const SelectionAction = ({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    className="inline-flex h-11 items-center gap-1.5 rounded-full px-3 max-sm:size-11 max-sm:justify-center max-sm:px-0 text-sm font-[560] whitespace-nowrap transition hover:bg-accent-wash sm:h-8"
  >
    <Icon name={icon} size={16} />
    <span className="max-sm:sr-only">{label}</span>
  </button>
)

type Selected = { readonly range: WordRange; readonly left: number; readonly top: number }

const useSelectedWords = (container: RefObject<HTMLElement | null>): [Selected | null, () => void] => {
  const [selected, setSelected] = useState<Selected | null>(null)
  useEffect(() => {
    const read = () => {
      const selection = window.getSelection()
      const range = container.current && selection ? findSelectedWords(container.current, selection) : null
      if (!range || !selection) return setSelected(null)
      const box = selection.getRangeAt(0).getBoundingClientRect()
      const left = Math.min(Math.max(box.left + box.width / 2, 150), window.innerWidth - 150)
      setSelected({ range, left, top: Math.max(box.top + window.scrollY - 52, window.scrollY + 4) })
    }
    // After the release, so that the toolbar does not get in the way of the pointer.
    const readLater = () => setTimeout(read)
    const hideIfCollapsed = () => window.getSelection()?.isCollapsed && setSelected(null)
    document.addEventListener("pointerup", readLater)
    document.addEventListener("keyup", readLater)
    document.addEventListener("selectionchange", hideIfCollapsed)
    return () => {
      document.removeEventListener("pointerup", readLater)
      document.removeEventListener("keyup", readLater)
      document.removeEventListener("selectionchange", hideIfCollapsed)
    }
  }, [container])
  return [selected, () => setSelected(null)]
}

type SelectionToolbarProps = {
  container: RefObject<HTMLElement | null>
  words: readonly WordSpan[]
  /** More actions on the selected words. Call `close` when one is done. */
  children?: (range: WordRange, close: () => void) => ReactNode
}

/** Appears over selected words: plays them, or copies them as a quote with a link to their second. */
export const SelectionToolbar = ({ container, words, children }: SelectionToolbarProps) => {
  const { clip } = useRecording()
  const [selected, close] = useSelectedWords(container)
  const canPlay = usePlayer((s) => s.audio !== "absent")
  if (!selected) return null
  const { range } = selected
  const { start } = words[range.first]!
  const finish = () => {
    window.getSelection()?.removeAllRanges()
    close()
  }
  return (
    <div
      role="toolbar"
      aria-label="Selected words"
      style={{ left: selected.left, top: selected.top }}
      className="absolute z-30 flex -translate-x-1/2 max-sm:left-1/2! animate-pop items-center rounded-full border border-line bg-raised p-1 shadow-float"
    >
      {canPlay && (
        <SelectionAction
          icon="play"
          label="Play"
          onClick={() => {
            seek(start)
            if (!usePlayer.getState().isPlaying) togglePlayback()
            finish()
          }}
        />
      )}
      <SelectionAction
        icon="link"
        label="Copy quote"
        onClick={() => {
          const quote = joinSpoken(words.slice(range.first, range.end).map((w) => w.word))
          const link = getRecordingUrl(clip.id, Math.floor(start))
          void copyText(`“${quote}”\n${clip.title}, ${formatClock(start)}\n${link}`, "Quote")
          finish()
        }}
      />
      {children?.(range, finish)}
    </div>
  )
}
