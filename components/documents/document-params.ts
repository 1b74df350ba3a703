"use client"
import { usePathname, useSearchParams } from "next/navigation"
import { useCallback, useMemo } from "react"
import type { DocumentsQuery } from "#lib/api/client/types.ts"
import { FORMAT_NAMES } from "./format-names.ts"

type Format = NonNullable<DocumentsQuery["format"]>
export type DocumentSort = NonNullable<DocumentsQuery["sort"]>

/** The orders of the list, as people call them. The first is the default. */
export const SORTS: Readonly<Record<DocumentSort, string>> = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  source: "Path A–Z",
  "-source": "Path Z–A",
}

/** What the list shows. */
export type DocumentParams = {
  readonly q?: string | undefined
  readonly format?: Format | undefined
  readonly sort?: DocumentSort | undefined
}

const isKeyOf = <T extends object>(table: T, name: string | null): name is string & keyof T =>
  name !== null && Object.hasOwn(table, name)

/** Reads what the list shows from the query of an address. Values that do not exist are left out. */
export const parseDocumentParams = (search: URLSearchParams): DocumentParams => {
  const [q, format, sort] = ["q", "format", "sort"].map((name) => search.get(name))
  return {
    ...(q?.trim() && { q: q.slice(0, 200) }),
    ...(isKeyOf(FORMAT_NAMES, format ?? null) && { format: format as Format }),
    ...(isKeyOf(SORTS, sort ?? null) && { sort: sort as DocumentSort }),
  }
}

/** Returns what the address shows, and a function that changes it without a new entry in the history. */
export const useDocumentParams = (): [DocumentParams, (changes: DocumentParams) => void] => {
  const text = useSearchParams().toString()
  const path = usePathname()
  const params = useMemo(() => parseDocumentParams(new URLSearchParams(text)), [text])
  const replace = useCallback(
    (next: DocumentParams) => {
      const given = Object.entries(next).filter((entry): entry is [string, string] => Boolean(entry[1]))
      const query = new URLSearchParams(given).toString()
      window.history.replaceState(null, "", query === "" ? path : `${path}?${query}`)
    },
    [path],
  )
  return [params, replace]
}
