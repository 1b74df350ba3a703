"use client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { client } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"

const DEBOUNCE_MS = 140

/** Returns the value once it has stayed the same for 140 ms. An empty value is returned immediately. */
export const useDebouncedValue = (value: string): string => {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), value === "" ? 0 : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}

/** Searches titles, topics and transcripts. The previous results stay until the new ones are loaded. */
export const useLibrarySearch = (query: string, limit: number) =>
  useQuery({
    queryKey: queryKeys.librarySearch(query, limit),
    queryFn: ({ signal }) => client.search({ q: query.slice(0, 200), limit }, { signal }),
    enabled: query.trim() !== "",
    placeholderData: keepPreviousData,
  })

/** Returns the address of a recording's page, optionally at a time in seconds. */
export const getRecordingHref = (clipId: string, time_s?: number): string =>
  `/library/${encodeURIComponent(clipId)}${time_s === undefined ? "" : `?t=${Math.round(time_s * 100) / 100}`}`
