"use client"
import { type RefObject, useEffect, useMemo, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { getCurrentTime, subscribeToTime, usePlayer } from "../player/player.ts"
import { findIndexAt, findWordAt } from "./paragraphs.ts"

/** A word stays highlighted this long after its end, so that the highlight does not flicker between words. */
const HIGHLIGHT_LINGER_S = 1.5

const findNoRow = (): number => -1

type ActiveWordOptions = {
  /** Contains the elements of words, which have the attribute `data-w`. */
  readonly container: RefObject<HTMLElement | null>
  readonly words: readonly WordSpan[]
  /** Scrolling happens when playback enters another row. */
  readonly rows: readonly { readonly start_s: number }[]
  /** Scrolls to a time. `element` is the word at that time, if it is rendered. */
  readonly reveal: (time: number, element: Element | null) => void
  /** Returns the row of a word. Needed only if rows render their words as elements on demand. */
  readonly findRow?: (word: number) => number
}

/**
 * Highlights the word at the current playback time and its sentence, and scrolls to it while the transcript follows
 * playback. Sets attributes instead of rendering, because the word changes several times a second.
 * @returns the row of the highlighted word, or -1
 */
export const useActiveWord = ({ container, words, rows, reveal, findRow = findNoRow }: ActiveWordOptions): number => {
  const [activeRow, setActiveRow] = useState(-1)
  const highlighter = useMemo(() => {
    let highlighted: Element | null = null
    let sentence: Element | null = null
    let word = -1
    let row = -1
    let { seekCount } = usePlayer.getState()
    const highlight = (element: Element | null): boolean => {
      highlighted?.removeAttribute("data-now")
      highlighted = element
      highlighted?.setAttribute("data-now", "")
      const next = element?.closest(".sentence") ?? null
      if (next === sentence) return false
      sentence?.removeAttribute("data-active")
      sentence = next
      sentence?.setAttribute("data-active", "")
      return true
    }
    const update = (time: number): void => {
      const lastStarted = findWordAt(words, time)
      const active = lastStarted >= 0 && time <= words[lastStarted]!.end + HIGHLIGHT_LINGER_S ? lastStarted : -1
      let isNewSentence = false
      if (active !== word || (active >= 0 && !highlighted?.isConnected)) {
        // A word that is hidden, such as a filler, has no element.
        const element = active >= 0 ? (container.current?.querySelector(`[data-w="${active}"]`) ?? null) : null
        isNewSentence = highlight(element)
        word = active
        setActiveRow(active >= 0 ? findRow(active) : -1)
      }
      const rowAtTime = findIndexAt(rows, time)
      const player = usePlayer.getState()
      const hasSeeked = player.seekCount !== seekCount
      if (rowAtTime === row && !hasSeeked && !isNewSentence) return
      row = rowAtTime
      seekCount = player.seekCount
      // At time 0 without a seek, the page has just been opened and must not scroll.
      if ((hasSeeked || (row >= 0 && time > 0)) && player.isFollowing) reveal(time, highlighted)
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
