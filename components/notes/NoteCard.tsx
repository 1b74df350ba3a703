"use client"
import Link from "next/link"
import { type ReactNode, useEffect, useRef, useState } from "react"
import type { Note } from "#lib/api/client/types.ts"
import { errorMessage } from "../api/client.ts"
import { useNoteActions } from "../api/notes.ts"
import { getRecordingHref } from "../search/use-library-search.ts"
import { IconButton } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { formatClock } from "../ui/format.ts"
import { ColorPicker } from "./ColorPicker.tsx"
import { NoteForm } from "./NoteForm.tsx"

const SourceList = ({ sources }: { sources: Note["sources"] }) => (
  <ol className="grid gap-1 text-sm text-muted">
    {sources.map(({ title, clip_id, document_id, start_s, page }, i) => {
      const place = start_s !== undefined ? ` ${formatClock(start_s)}` : page !== undefined ? ` page ${page}` : ""
      const href =
        clip_id !== undefined
          ? getRecordingHref(clip_id, start_s)
          : document_id !== undefined
            ? `/ask/documents/${encodeURIComponent(document_id)}`
            : null
      const key = `${i} ${title}`
      return (
        <li key={key} className="numeric">
          {i + 1}.{" "}
          {href === null ? (
            title
          ) : (
            <Link
              href={href}
              prefetch={false}
              className="underline decoration-line-strong underline-offset-3 hover:text-ink"
            >
              <bdi>{title}</bdi>
              {place}
            </Link>
          )}
        </li>
      )
    })}
  </ol>
)

type NoteCardProps = {
  note: Note
  /** The time or the recording, as a link or button. */
  place: ReactNode
  /** True to scroll to the note and mark it. */
  isTarget?: boolean
}

/** A highlight or note: its words, its text, and what can be changed. */
export const NoteCard = ({ note, place, isTarget = false }: NoteCardProps) => {
  const { edit, remove, onError } = useNoteActions()
  const [isEditing, setEditing] = useState(false)
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isTarget) card.current?.scrollIntoView({ block: "center" })
  }, [isTarget])
  const what = note.quote === null ? "note" : note.text === "" ? "highlight" : "note"
  const name = (note.text || note.quote || "").slice(0, 40)
  return (
    <li
      ref={card}
      className={cx(
        "grid gap-2 border-b border-line py-4 last:border-0",
        isTarget && "-ml-3.5 border-l-2 border-l-accent pl-3",
      )}
    >
      <div className="flex flex-wrap items-center gap-2 max-sm:gap-y-0">
        <div className="numeric min-w-0 flex-1 truncate text-sm text-muted max-sm:basis-full">{place}</div>
        {note.color !== null && (
          <ColorPicker
            label="Color"
            value={note.color}
            onChoose={(color) => edit.mutate({ note, patch: { color } }, { onError })}
          />
        )}
        <IconButton
          name="edit"
          label={note.text === "" ? `Add a note to ${name}` : `Edit the note ${name}`}
          className="max-sm:size-11"
          onClick={() => setEditing(true)}
        />
        <IconButton
          name="trash"
          label={`Delete the ${what} ${name}`}
          className="max-sm:size-11"
          onClick={() => remove(note)}
        />
      </div>
      {note.quote !== null && (
        <blockquote className="[overflow-wrap:anywhere]">
          <span data-highlight={note.color ?? "yellow"} className="rounded-[3px] box-decoration-clone px-0.5">
            <bdi>{note.quote}</bdi>
          </span>
          {note.speaker !== null && <span className="text-sm text-muted"> — {note.speaker}</span>}
        </blockquote>
      )}
      {isEditing ? (
        <NoteForm
          initial={note.text}
          isRequired={note.quote === null}
          autoFocus
          error={edit.isError ? errorMessage(edit.error) : null}
          isPending={edit.isPending}
          onCancel={() => setEditing(false)}
          onSubmit={(text) => edit.mutate({ note, patch: { text } }, { onSuccess: () => setEditing(false) })}
        />
      ) : (
        note.text !== "" && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{note.text}</p>
      )}
      {note.sources.length > 0 && <SourceList sources={note.sources} />}
    </li>
  )
}
