"use client"
import { useMemo, useState } from "react"
import type { DocumentMatches } from "#lib/domain/document-content.ts"
import { useDebouncedValue } from "../../search/use-library-search.ts"
import { useMatches } from "./reader-data.ts"

export type Match = DocumentMatches["matches"][number]

const NO_MATCHES: readonly Match[] = []

/** The search in a document. `current` is the match that the page shows; null until there is one. */
export const useFind = (id: string, onShow: (match: Match) => void) => {
  const [query, setQuery] = useState("")
  const [step, setStep] = useState<{ readonly query: string; readonly index: number } | null>(null)
  const wanted = useDebouncedValue(query).trim()
  const found = useMatches(id, wanted)
  const isCurrent = wanted !== "" && found.data !== undefined && !found.isPlaceholderData
  const matches = isCurrent ? found.data.matches : NO_MATCHES
  const index = step?.query === wanted ? step.index : 0
  const byPortion = useMemo(() => {
    const groups = new Map<number, Match[]>()
    for (const match of matches) {
      const group = groups.get(match.portion)
      if (group) group.push(match)
      else groups.set(match.portion, [match])
    }
    return groups
  }, [matches])
  const show = (next: number) => {
    const match = matches[next]
    if (!match) return
    setStep({ query: wanted, index: next })
    onShow(match)
  }
  return {
    query,
    setQuery,
    isSearching: query.trim() !== "" && !isCurrent && !found.isError,
    error: wanted === "" ? null : found.error,
    matches,
    byPortion,
    total: isCurrent ? found.data.total : 0,
    index,
    current: step?.query === wanted ? (matches[index] ?? null) : null,
    /** Goes to the first match, or from the current one to another. */
    step: (by: number) => show(step?.query === wanted ? (index + by + matches.length) % matches.length : 0),
  }
}

export type Find = ReturnType<typeof useFind>
