"use client"
import { type RefObject, useEffect, useRef } from "react"
import type { WordSpan } from "#lib/contracts/words.ts"
import { indexAt, wordAt } from "./blocks.ts"
import { onTime, usePlayer } from "./player.ts"

/** A word stays lit this long after its end, so that the light does not flicker between words. */
const LINGER_S = 1.5

type Range = { readonly startIndex: number; readonly endIndex: number } | null

/**
 * Lights the word that is spoken, and scrolls along with it. Nothing renders for it: an attribute of one word's element
 * moves on. `range` is what is in the page: when it changes, the word may have a new element.
 */
export const useSpoken = (
  box: RefObject<HTMLElement | null>,
  words: readonly WordSpan[],
  rows: readonly { readonly start_s: number }[],
  range: Range,
  reveal: (time: number) => void,
): void => {
  const seen = useRef(range)
  seen.current = range
  useEffect(() => {
    let lit: Element | null = null
    let word = -1
    let row = -1
    const light = (time: number): void => {
      const at = wordAt(words, time)
      const spoken = at >= 0 && time <= words[at]!.end + LINGER_S ? at : -1
      if (spoken !== word || (lit && !lit.isConnected) || (spoken >= 0 && !lit)) {
        lit?.removeAttribute("data-now")
        lit = spoken >= 0 ? (box.current?.querySelector(`[data-w="${spoken}"]`) ?? null) : null
        lit?.setAttribute("data-now", "")
        word = spoken
      }
      const inRow = indexAt(rows, time)
      if (inRow === row) return
      row = inRow
      const { startIndex = 0, endIndex = 0 } = seen.current ?? {}
      // What is well in sight is not moved under the reader's eyes.
      const inSight = row > startIndex + 1 && row < endIndex - 1
      if (row >= 0 && time > 0 && usePlayer.getState().follow && !inSight) reveal(time)
    }
    const stop = onTime(light)
    return () => {
      stop()
      lit?.removeAttribute("data-now")
    }
  }, [box, words, rows, reveal])
}
