"use client"
import { type RefObject, useEffect, useMemo, useRef, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { getCurrentTime, subscribeToTime, usePlayer } from "../player/player.ts"
import { findIndexAt, findWordAt } from "./paragraphs.ts"

/** A word stays lit this long after its end, so that the light does not flicker between words. */
const HIGHLIGHT_LINGER_S = 1.5

type RowRange = { readonly startIndex: number; readonly endIndex: number } | null

/** Where all words are elements already, nobody asks for a row. */
const NO_ROW = (): number => -1

/**
 * Lights the word that is spoken, and scrolls along with it. Nothing renders for a word: an attribute of one word's
 * element moves on. `range` is what is in the page.
 * @param rowOf the row that holds a word, where only the rows that are asked for have their words as elements
 * @returns that row of the spoken word; -1 for none
 */
export const useActiveWord = (
  box: RefObject<HTMLElement | null>,
  words: readonly WordSpan[],
  rows: readonly { readonly start_s: number }[],
  range: RowRange,
  reveal: (time: number) => void,
  rowOf: (word: number) => number = NO_ROW,
): number => {
  const [spokenRow, setSpokenRow] = useState(-1)
  const seen = useRef(range)
  seen.current = range
  const light = useMemo(() => {
    let lit: Element | null = null
    let word = -1
    let row = -1
    let { seekCount: sought } = usePlayer.getState()
    const put = (element: Element | null): void => {
      lit?.removeAttribute("data-now")
      lit = element
      lit?.setAttribute("data-now", "")
    }
    const at = (time: number): void => {
      const heard = findWordAt(words, time)
      const spoken = heard >= 0 && time <= words[heard]!.end + HIGHLIGHT_LINGER_S ? heard : -1
      if (spoken !== word || (spoken >= 0 && !lit?.isConnected)) {
        put(spoken >= 0 ? (box.current?.querySelector(`[data-w="${spoken}"]`) ?? null) : null)
        word = spoken
        setSpokenRow(spoken >= 0 ? rowOf(spoken) : -1)
      }
      const inRow = findIndexAt(rows, time)
      const player = usePlayer.getState()
      const gone = player.seekCount !== sought
      if (inRow === row && !gone) return
      row = inRow
      sought = player.seekCount
      const { startIndex = 0, endIndex = 0 } = seen.current ?? {}
      // What is well in sight is not moved under the reader's eyes.
      const inSight = row > startIndex + 1 && row < endIndex - 1
      // A page that has just come stands at its beginning; one who goes there is taken along.
      if ((gone || (row >= 0 && time > 0)) && player.isFollowing && !inSight) reveal(time)
    }
    return { at, off: () => put(null) }
  }, [box, words, rows, reveal, rowOf])
  useEffect(() => {
    const stop = subscribeToTime(light.at)
    return () => {
      stop()
      light.off()
    }
  }, [light])
  // A row that has come into the page, or whose words have become elements, may hold the word.
  useEffect(() => light.at(getCurrentTime()))
  return spokenRow
}
