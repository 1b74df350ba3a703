"use client"
import Link from "next/link"
import { useSearchParams } from "next/navigation"
import { useState } from "react"
import type { PeopleQuery } from "#lib/api/client/types.ts"
import { errorMessage } from "../api/client.ts"
import { useHiddenPeople, usePeople } from "../api/people.ts"
import { useDebouncedValue } from "../search/use-library-search.ts"
import { Button } from "../ui/Button.tsx"
import { formatCount } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { formatMinutes, getPersonHref } from "./minutes.ts"
import { PersonMenu } from "./PersonMenu.tsx"

type Sort = NonNullable<PeopleQuery["sort"]>
const SORTS: Readonly<Record<Sort, string>> = {
  name: "Name A–Z",
  "-name": "Name Z–A",
  "-created_at": "Newest first",
  created_at: "Oldest first",
}

/** The people who speak in recordings, with search and order. */
export const PeoplePage = () => {
  const [query, setQuery] = useState(useSearchParams()?.get("q") ?? "")
  const [sort, setSort] = useState<Sort>("name")
  const q = useDebouncedValue(query.trim())
  const list = usePeople({ sort, ...(q !== "" && { q }) })
  const hidden = useHiddenPeople()
  const people = list.data?.pages.flatMap((page) => page.people).filter(({ id }) => !hidden.has(id)) ?? []
  return (
    <div className="mx-auto grid w-full max-w-[47rem] grid-cols-1 gap-4">
      <h1 className="text-2xl font-[640]">People</h1>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label="Search people" value={query} onChange={setQuery} />
        <select
          aria-label="Sort"
          value={sort}
          onChange={(event) => setSort(event.target.value as Sort)}
          className="h-9 rounded-full border border-line bg-surface px-3 text-sm max-sm:h-11"
        >
          {Object.entries(SORTS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {list.isError && <Notice onRetry={() => list.refetch()}>{errorMessage(list.error)}</Notice>}
      {list.isSuccess && people.length === 0 && (
        <p role="status" className="py-6 text-muted">
          {q !== ""
            ? "Nobody matches. Change the search."
            : "No people yet. Open a recording and name its speakers; later recordings then recognize them."}
        </p>
      )}
      <ul aria-label="People" className="grid divide-y divide-line">
        {people.map((person) => (
          <li key={person.id} className="flex min-h-14 items-center gap-3 py-1">
            <Icon name="person" size={18} className="shrink-0 text-muted" />
            <div className="min-w-0 flex-1">
              <Link
                href={getPersonHref(person.id)}
                prefetch={false}
                className="flex min-h-6 max-w-full items-center rounded-sm font-[560] hover:text-accent max-sm:min-h-11"
              >
                <bdi className="truncate">{person.name}</bdi>
              </Link>
              <p className="numeric text-sm text-muted">
                {formatCount(person.clips, "recording")} · {formatMinutes(person.speaking_s)}
              </p>
            </div>
            <PersonMenu person={person} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="justify-self-center" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  )
}
