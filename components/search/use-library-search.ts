"use client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { client } from "../api/client.ts"

const DEBOUNCE_MS = 140

/** A value that has stood still for a moment. */
export const useDebouncedValue = (value: string): string => {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), value === "" ? 0 : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return late
}

/** Titles, topics and spoken words with these words; what was found before stays until the new comes. */
export const useLibrarySearch = (question: string, limit: number) =>
  useQuery({
    queryKey: ["library-search", question, limit],
    queryFn: ({ signal }) => client.search({ q: question.slice(0, 200), limit }, { signal }),
    enabled: question.trim() !== "",
    placeholderData: keepPreviousData,
  })

/** Where a hit leads: the page of its recording, at the second if it has one. */
export const getRecordingHref = (clipId: string, second?: number): string =>
  `/library/${encodeURIComponent(clipId)}${second === undefined ? "" : `?t=${Math.round(second * 100) / 100}`}`
