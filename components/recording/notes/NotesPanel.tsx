"use client"
import Link from "next/link"
import { sortByTime } from "#lib/domain/export/notes.ts"
import { client, errorMessage } from "../../api/client.ts"
import { useNoteActions } from "../../api/notes.ts"
import { useRecordingNotes } from "../../api/recording-notes.ts"
import { NoteCard } from "../../notes/NoteCard.tsx"
import { NoteForm } from "../../notes/NoteForm.tsx"
import { Button } from "../../ui/Button.tsx"
import { formatClock, formatCount } from "../../ui/format.ts"
import { Menu, MenuLink } from "../../ui/Menu.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { seek } from "../player/player.ts"
import { useRecording } from "../recording-context.ts"
import { showView, useRecordingView } from "../recording-view.ts"

/** The highlights and notes of a recording in order of time, and a form for one about the whole recording. */
export const NotesPanel = () => {
  const { clip } = useRecording()
  const { data, isError, error, refetch } = useRecordingNotes(clip.id)
  const { create } = useNoteActions()
  const target = useRecordingView((s) => s.noteId)
  const notes = sortByTime(data?.notes ?? [])
  return (
    <section aria-label="Notes" className="mx-auto grid max-w-[47rem] gap-4 pt-3 pb-24">
      <div className="flex flex-wrap items-center gap-2">
        <p className="numeric min-w-0 flex-1 text-sm text-muted">
          {notes.length === 0 ? "Select words in the transcript to highlight them." : formatCount(notes.length, "note")}
        </p>
        <Link
          href="/library/notes"
          className="inline-flex h-9 items-center rounded-full px-3 text-sm text-muted underline decoration-line-strong underline-offset-3 hover:text-ink max-sm:h-11"
        >
          Notes of all recordings
        </Link>
        {notes.length > 0 && (
          <Menu align="end" trigger={<Button icon="save">Export notes</Button>}>
            <MenuLink download href={client.exportNotesUrl({ clip_id: clip.id, format: "md" })} hint=".md">
              Markdown
            </MenuLink>
            <MenuLink download href={client.exportNotesUrl({ clip_id: clip.id, format: "json" })} hint=".json">
              JSON
            </MenuLink>
          </Menu>
        )}
      </div>
      <NoteForm
        isRequired
        error={create.isError ? errorMessage(create.error) : null}
        isPending={create.isPending}
        onSubmit={(text, onSaved) => create.mutate({ clip_id: clip.id, text }, { onSuccess: onSaved })}
      />
      {isError && <Notice onRetry={() => refetch()}>{errorMessage(error)}</Notice>}
      <ul aria-label="Highlights and notes">
        {notes.map((note) => (
          <NoteCard
            key={note.id}
            note={note}
            isTarget={note.id === target}
            place={
              note.start_s === null ? (
                "About the recording"
              ) : (
                <button
                  type="button"
                  aria-label={`Go to ${formatClock(note.start_s)}`}
                  onClick={() => {
                    seek(note.start_s ?? 0)
                    showView("transcript")
                  }}
                  className="h-9 rounded-sm text-accent hover:underline max-sm:h-11 max-sm:min-w-11"
                >
                  {formatClock(note.start_s)}
                </button>
              )
            }
          />
        ))}
      </ul>
    </section>
  )
}
