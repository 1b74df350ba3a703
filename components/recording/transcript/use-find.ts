"use client"
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { findMatches, type Match, normalizeWords } from "./find.ts"
import type { ParagraphSpan } from "./paragraphs.ts"

const NO_MATCHES: readonly Match[] = []

export type Find = {
  readonly query: string
  readonly setQuery: (question: string) => void
  readonly matches: readonly Match[]
  /** Which of them one has walked to, and the first word of that one; -1 when none is found. */
  readonly currentIndex: number
  readonly currentWord: number
  readonly step: (by: 1 | -1) => void
  readonly getMatchesIn: (paragraph: ParagraphSpan) => readonly Match[]
}

/** Search inside the transcript, from hit to hit. `reveal` brings a time into sight. */
export const useFind = (words: readonly WordSpan[], reveal: (time: number) => void): Find => {
  const [question, setQuestion] = useState("")
  const [at, setAt] = useState(0)
  const late = useDeferredValue(question)
  const asked = late.trim() !== ""
  const spoken = useMemo(() => (asked ? normalizeWords(words) : []), [asked, words])
  const found = useMemo(() => (asked ? findMatches(spoken, late) : NO_MATCHES), [asked, spoken, late])
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
  const within = (paragraph: ParagraphSpan): readonly Match[] => {
    const own = found.filter(({ first, end }) => first < paragraph.end && end > paragraph.first)
    return own.length > 0 ? own : NO_MATCHES
  }
  return {
    query: question,
    setQuery: ask,
    matches: found,
    currentIndex: here,
    currentWord: walked,
    step: walk,
    getMatchesIn: within,
  }
}
