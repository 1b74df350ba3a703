"use client"
import { useState } from "react"
import type { HighlightColor, Note } from "#lib/api/client/types.ts"
import { joinSpoken } from "#lib/domain/text/join-spoken.ts"
import { errorMessage } from "../../api/client.ts"
import { useNoteActions, useRecordingNotes } from "../../api/notes.ts"
import { ColorPicker } from "../../notes/ColorPicker.tsx"
import { NoteForm } from "../../notes/NoteForm.tsx"
import { IconButton } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { useRecording } from "../recording-context.ts"
import type { WordRange } from "../transcript/selected-words.ts"
import { findHighlights, findOverlapping } from "./highlights.ts"

type SelectionNotesProps = { range: WordRange; onDone: () => void }

/** What can be noted about selected words: a color, a note, and removing the highlight that they touch. */
export const SelectionNotes = ({ range, onDone }: SelectionNotesProps) => {
  const { clip } = useRecording()
  const words = clip.transcription
  const { data } = useRecordingNotes(clip.id)
  const { create, edit, remove, onError } = useNoteActions()
  const [isWriting, setWriting] = useState(false)
  const notes = data?.notes ?? []
  const touched = findOverlapping(findHighlights(words, notes), range)
  const note: Note | undefined = touched ? notes.find(({ id }) => id === touched.id) : undefined
  const selected = words.slice(range.first, range.end)
  const times = {
    clip_id: clip.id,
    start_s: selected[0]!.start,
    // Of overlapping speakers, the last word may end before another one.
    end_s: Math.max(...selected.map(({ end }) => end), selected[0]!.start + 0.01),
  }
  const color = (chosen: HighlightColor) => {
    if (note) edit.mutate({ note, patch: { color: chosen } }, { onError })
    else create.mutate({ ...times, color: chosen }, { onError })
    onDone()
  }
  const save = (text: string) => {
    if (note) edit.mutate({ note, patch: { text } }, { onSuccess: onDone })
    else create.mutate({ ...times, text }, { onSuccess: onDone })
  }
  const failed = create.error ?? edit.error
  return (
    <>
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
      <ColorPicker label="Highlight" value={note?.color ?? null} onChoose={color} />
      <IconButton
        name="note"
        label={note?.text ? "Edit the note" : "Add a note"}
        className="size-8 max-sm:size-11"
        onClick={() => setWriting(true)}
      />
      {note && (
        <IconButton
          name="trash"
          label={note.text === "" ? "Remove the highlight" : "Delete the note"}
          className="size-8 max-sm:size-11"
          onClick={() => {
            remove(note)
            onDone()
          }}
        />
      )}
      {isWriting && (
        <Dialog
          open
          onClose={onDone}
          title={note?.text ? "Edit the note" : "Add a note"}
          lead={note?.quote ?? joinSpoken(selected.map(({ word }) => word))}
        >
          <NoteForm
            initial={note?.text ?? ""}
            autoFocus
            error={failed ? errorMessage(failed) : null}
            isPending={create.isPending || edit.isPending}
            onCancel={onDone}
            onSubmit={save}
          />
        </Dialog>
      )}
    </>
  )
}
