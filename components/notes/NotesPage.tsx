"use client"
import Link from "next/link"
import { useSearchParams } from "next/navigation"
import { useState } from "react"
import type { HighlightColor, Note, NotesQuery } from "#lib/api/client/types.ts"
import { HIGHLIGHT_COLORS } from "#lib/domain/constants.ts"
import { client, errorMessage } from "../api/client.ts"
import { useNoteActions, useNotes } from "../api/notes.ts"
import { getRecordingHref, useDebouncedValue } from "../search/use-library-search.ts"
import { Button } from "../ui/Button.tsx"
import { formatClock } from "../ui/format.ts"
import { Menu, MenuLink } from "../ui/Menu.tsx"
import { Notice } from "../ui/Notice.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { COLOR_NAMES } from "./ColorPicker.tsx"
import { NoteCard } from "./NoteCard.tsx"
import { NoteForm } from "./NoteForm.tsx"

type Kind = "all" | "highlight" | "note"
const KINDS: Readonly<Record<Kind, string>> = { all: "Everything", highlight: "Highlights", note: "Notes" }
const SELECT = "h-9 rounded-full border border-line bg-surface px-3 text-sm max-sm:h-11"

const Place = ({ note: { clip_id, clip_title, start_s, created_at } }: { note: Note }) => {
  const date = new Date(created_at).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })
  if (clip_id === null) return `Library · ${date}`
  return (
    <>
      <Link
        href={getRecordingHref(clip_id, start_s ?? undefined)}
        prefetch={false}
        className="inline-flex min-h-6 items-center rounded-sm font-[560] text-ink hover:text-accent max-sm:min-h-11"
      >
        <bdi>{clip_title}</bdi>
        {start_s !== null && <span className="ml-1.5 text-accent">{formatClock(start_s)}</span>}
      </Link>
      {` · ${date}`}
    </>
  )
}

/** The highlights and notes of all recordings, with search and filters. */
export const NotesPage = () => {
  const [query, setQuery] = useState(useSearchParams().get("q") ?? "")
  const [kind, setKind] = useState<Kind>("all")
  const [color, setColor] = useState<HighlightColor | "">("")
  const q = useDebouncedValue(query.trim())
  const filters: NotesQuery = {
    ...(q !== "" && { q }),
    ...(kind !== "all" && { kind }),
    ...(color !== "" && { color }),
  }
  const list = useNotes(filters)
  const { create } = useNoteActions()
  const notes = list.data?.pages.flatMap((page) => page.notes) ?? []
  const isFiltered = Object.keys(filters).length > 0
  return (
    <div className="mx-auto grid w-full max-w-[47rem] grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="min-w-0 flex-1 text-2xl font-[640]">Highlights and notes</h1>
        <Menu align="end" trigger={<Button icon="save">Export</Button>}>
          <MenuLink download href={client.exportNotesUrl({ ...filters, format: "md" })} hint=".md">
            Markdown
          </MenuLink>
          <MenuLink download href={client.exportNotesUrl({ ...filters, format: "json" })} hint=".json">
            JSON
          </MenuLink>
        </Menu>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label="Search highlights and notes" value={query} onChange={setQuery} />
        <select
          aria-label="Kind"
          value={kind}
          onChange={(event) => setKind(event.target.value as Kind)}
          className={SELECT}
        >
          {Object.entries(KINDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <select
          aria-label="Color"
          value={color}
          onChange={(event) => setColor(event.target.value as HighlightColor | "")}
          className={SELECT}
        >
          <option value="">All colors</option>
          {HIGHLIGHT_COLORS.map((value) => (
            <option key={value} value={value}>
              {COLOR_NAMES[value]}
            </option>
          ))}
        </select>
      </div>
      <NoteForm
        isRequired
        error={create.isError ? errorMessage(create.error) : null}
        isPending={create.isPending}
        onSubmit={(text, onSaved) => create.mutate({ text }, { onSuccess: onSaved })}
      />
      {list.isError && <Notice onRetry={() => list.refetch()}>{errorMessage(list.error)}</Notice>}
      {list.isSuccess && notes.length === 0 && (
        <p role="status" className="py-6 text-muted">
          {isFiltered
            ? "Nothing matches. Change the search or the filters."
            : "No highlights or notes yet. Open a recording and select some words, or write a note here."}
        </p>
      )}
      <ul aria-label="Highlights and notes">
        {notes.map((note) => (
          <NoteCard key={note.id} note={note} place={<Place note={note} />} />
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
