"use client"
import { usePathname, useSearchParams } from "next/navigation"
import { useCallback, useMemo } from "react"
import { type LibraryParams, parseLibraryParams, toSearch } from "./library-params.ts"

/** Returns what the address shows, and a function that changes it without a new entry in the history. */
export const useLibraryParams = (): [LibraryParams, (changes: LibraryParams) => void] => {
  const search = useSearchParams()
  const path = usePathname()
  const text = search.toString()
  const params = useMemo(() => parseLibraryParams(new URLSearchParams(text)), [text])
  const replace = useCallback(
    (next: LibraryParams) => {
      const query = toSearch(next)
      window.history.replaceState(null, "", query === "" ? path : `${path}?${query}`)
    },
    [path],
  )
  return [params, replace]
}
