"use client"
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import type { ParagraphSpan } from "./paragraphs.ts"

/** The words of a match: index of the first word and of the word after the last. */
export type Match = { readonly first: number; readonly end: number }

const NO_MATCHES: readonly Match[] = []

/** Removes case, accents and everything except letters and digits. */
const normalizeText = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Finds consecutive words that match the query. The last word of the query may be a prefix. */
const findMatches = (normalizedWords: readonly string[], query: string): Match[] => {
  const wanted = query.split(/\s+/).map(normalizeText).filter(Boolean)
  const last = wanted.at(-1)
  if (last === undefined) return []
  const leading = wanted.slice(0, -1)
  const matches: Match[] = []
  for (let i = 0; i + wanted.length <= normalizedWords.length; i++) {
    const end = i + wanted.length
    if (leading.every((w, k) => normalizedWords[i + k] === w) && normalizedWords[end - 1]!.startsWith(last)) {
      matches.push({ first: i, end })
      i = end - 1
    }
  }
  return matches
}

export type Find = {
  readonly query: string
  readonly setQuery: (query: string) => void
  readonly matches: readonly Match[]
  /** The index of the current match in `matches`, -1 without matches. */
  readonly currentIndex: number
  /** The index of the first word of the current match, -1 without matches. */
  readonly currentWord: number
  readonly step: (by: 1 | -1) => void
  readonly getMatchesIn: (paragraph: ParagraphSpan) => readonly Match[]
}

/** Searches the transcript and steps from match to match. Calls `reveal` with the time of the current match. */
export const useFind = (words: readonly WordSpan[], reveal: (time: number) => void): Find => {
  const [query, setQueryState] = useState("")
  const [selectedIndex, setSelectedIndex] = useState(0)
  const deferredQuery = useDeferredValue(query)
  const isActive = deferredQuery.trim() !== ""
  const normalizedWords = useMemo(() => (isActive ? words.map((w) => normalizeText(w.word)) : []), [isActive, words])
  const matches = useMemo(
    () => (isActive ? findMatches(normalizedWords, deferredQuery) : NO_MATCHES),
    [isActive, normalizedWords, deferredQuery],
  )
  const currentIndex = matches.length === 0 ? -1 : Math.min(selectedIndex, matches.length - 1)
  const currentWord = matches[currentIndex]?.first ?? -1

  useEffect(() => {
    if (currentWord >= 0) reveal(words[currentWord]!.start)
  }, [currentWord, words, reveal])
  const setQuery = useCallback((next: string) => {
    setQueryState(next)
    setSelectedIndex(0)
  }, [])
  const step = (by: 1 | -1) =>
    matches.length > 0 && setSelectedIndex((currentIndex + by + matches.length) % matches.length)
  const getMatchesIn = (paragraph: ParagraphSpan): readonly Match[] => {
    const own = matches.filter(({ first, end }) => first < paragraph.end && end > paragraph.first)
    return own.length > 0 ? own : NO_MATCHES
  }
  return { query, setQuery, matches, currentIndex, currentWord, step, getMatchesIn }
}
