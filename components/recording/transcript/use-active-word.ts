"use client"
import { type RefObject, useEffect, useMemo, useRef, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { getCurrentTime, subscribeToTime, usePlayer } from "../player/player.ts"
import { findIndexAt, findWordAt } from "./paragraphs.ts"

/** A word stays highlighted this long after its end, so that the highlight does not flicker between words. */
const HIGHLIGHT_LINGER_S = 1.5

type RowRange = { readonly startIndex: number; readonly endIndex: number } | null

const findNoRow = (): number => -1

/**
 * Highlights the word at the current playback time and scrolls to its row. Sets an attribute on the word's element instead
 * of rendering, because the word changes several times a second.
 * @param visibleRange the rendered rows
 * @param findRow returns the row of a word. Needed only if rows render their words as elements on demand.
 * @returns the row of the highlighted word, or -1
 */
export const useActiveWord = (
  container: RefObject<HTMLElement | null>,
  words: readonly WordSpan[],
  rows: readonly { readonly start_s: number }[],
  visibleRange: RowRange,
  reveal: (time: number) => void,
  findRow: (word: number) => number = findNoRow,
): number => {
  const [activeRow, setActiveRow] = useState(-1)
  const rangeRef = useRef(visibleRange)
  rangeRef.current = visibleRange
  const highlighter = useMemo(() => {
    let highlighted: Element | null = null
    let word = -1
    let row = -1
    let { seekCount } = usePlayer.getState()
    const highlight = (element: Element | null): void => {
      highlighted?.removeAttribute("data-now")
      highlighted = element
      highlighted?.setAttribute("data-now", "")
    }
    const update = (time: number): void => {
      const lastStarted = findWordAt(words, time)
      const active = lastStarted >= 0 && time <= words[lastStarted]!.end + HIGHLIGHT_LINGER_S ? lastStarted : -1
      if (active !== word || (active >= 0 && !highlighted?.isConnected)) {
        highlight(active >= 0 ? (container.current?.querySelector(`[data-w="${active}"]`) ?? null) : null)
        word = active
        setActiveRow(active >= 0 ? findRow(active) : -1)
      }
      const rowAtTime = findIndexAt(rows, time)
      const player = usePlayer.getState()
      const hasSeeked = player.seekCount !== seekCount
      if (rowAtTime === row && !hasSeeked) return
      row = rowAtTime
      seekCount = player.seekCount
      const { startIndex = 0, endIndex = 0 } = rangeRef.current ?? {}
      const isInView = row > startIndex + 1 && row < endIndex - 1
      // At time 0 without a seek, the page has just been opened and must not scroll.
      if ((hasSeeked || (row >= 0 && time > 0)) && player.isFollowing && !isInView) reveal(time)
    }
    return { update, clear: () => highlight(null) }
  }, [container, words, rows, reveal, findRow])
  useEffect(() => {
    const unsubscribe = subscribeToTime(highlighter.update)
    return () => {
      unsubscribe()
      highlighter.clear()
    }
  }, [highlighter])
  // Runs after every render, because a newly rendered row may contain the active word.
  useEffect(() => highlighter.update(getCurrentTime()))
  return activeRow
}
