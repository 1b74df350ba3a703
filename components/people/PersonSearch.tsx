"use client"
import Link from "next/link"
import { useState } from "react"
import { MAX_SEARCH_CHARS } from "#lib/domain/constants.ts"
import { errorMessage } from "../api/client.ts"
import { usePersonWords } from "../api/people.ts"
import { Highlighted } from "../search/Highlighted.tsx"
import { getRecordingHref, useDebouncedValue } from "../search/use-library-search.ts"
import { formatClock } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"

/** Finds what a person says about something. Each passage links to its second. */
export const PersonSearch = ({ id, name }: { id: string; name: string }) => {
  const [query, setQuery] = useState("")
  const q = useDebouncedValue(query.trim())
  const found = usePersonWords(id, q)
  const hits = q === "" ? [] : (found.data?.words ?? [])
  const label = `What ${name} says about…`
  return (
    <section className="grid gap-2">
      <search className="relative flex items-center">
        <Icon name="search" size={17} className="pointer-events-none absolute left-3 text-muted" />
        <input
          type="search"
          value={query}
          onChange={(event) => setQuery(event.target.value.slice(0, MAX_SEARCH_CHARS))}
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          className="h-9 w-full rounded-full border border-line bg-surface pr-4 pl-9.5 text-sm text-ellipsis placeholder:text-muted hover:border-line-strong max-sm:h-11"
        />
      </search>
      {found.isError && <Notice onRetry={() => found.refetch()}>{errorMessage(found.error)}</Notice>}
      {q !== "" && found.isSuccess && hits.length === 0 && (
        <p role="status" className="text-sm text-muted">
          {name} says nothing about this.
        </p>
      )}
      <ul aria-label="Passages" className="grid gap-1">
        {hits.map((hit) => (
          <li key={`${hit.clip_id} ${hit.start_s}`}>
            <Link
              href={getRecordingHref(hit.clip_id, hit.start_s)}
              prefetch={false}
              className="-mx-2 grid rounded-md px-2 py-1.5 hover:bg-accent-wash"
            >
              <span>
                <Highlighted text={hit.text} marks={hit.marks} />
              </span>
              <span className="truncate text-xs text-muted">
                <bdi>{hit.clip_title}</bdi> · <span className="numeric text-accent">{formatClock(hit.start_s)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
