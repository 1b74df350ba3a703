"use client"
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { Block } from "./blocks.ts"
import { type Found, findIn, plainWords } from "./find.ts"

const NOTHING: readonly Found[] = []

export type Find = {
  readonly question: string
  readonly ask: (question: string) => void
  readonly found: readonly Found[]
  /** Which of them one has walked to, and the first word of that one; -1 when none is found. */
  readonly at: number
  readonly walked: number
  readonly walk: (by: 1 | -1) => void
  readonly within: (block: Block) => readonly Found[]
}

/** Search inside the transcript, from hit to hit. `reveal` brings a time into sight. */
export const useFind = (words: readonly WordSpan[], reveal: (time: number) => void): Find => {
  const [question, setQuestion] = useState("")
  const [at, setAt] = useState(0)
  const late = useDeferredValue(question)
  const asked = late.trim() !== ""
  const spoken = useMemo(() => (asked ? plainWords(words) : []), [asked, words])
  const found = useMemo(() => (asked ? findIn(spoken, late) : NOTHING), [asked, spoken, late])
  const here = found.length === 0 ? -1 : Math.min(at, found.length - 1)
  const walked = found[here]?.first ?? -1

  useEffect(() => {
    if (walked >= 0) reveal(words[walked]!.start)
  }, [walked, words, reveal])
  const ask = useCallback((next: string) => {
    setQuestion(next)
    setAt(0)
  }, [])
  const walk = (by: 1 | -1) => found.length > 0 && setAt((here + by + found.length) % found.length)
  const within = (block: Block): readonly Found[] => {
    const own = found.filter(({ first, end }) => first < block.end && end > block.first)
    return own.length > 0 ? own : NOTHING
  }
  return { question, ask, found, at: here, walked, walk, within }
}
