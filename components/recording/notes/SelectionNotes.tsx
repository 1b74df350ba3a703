"use client"
import type { HighlightColor } from "#lib/api/client/types.ts"
import { joinSpoken } from "#lib/domain/text/join-spoken.ts"
import { useNoteActions } from "../../api/notes.ts"
import { useRecordingNotes } from "../../api/recording-notes.ts"
import { ColorPicker } from "../../notes/ColorPicker.tsx"
import { IconButton } from "../../ui/Button.tsx"
import { useRecording } from "../recording-context.ts"
import type { WordRange } from "../transcript/selected-words.ts"
import { findHighlights, findOverlapping } from "./highlights.ts"
import { openNoteDialog } from "./note-dialog-store.ts"

type SelectionNotesProps = { range: WordRange; onDone: () => void }

/** What can be noted about selected words: a color, a note, and removing the highlight that they touch. */
export const SelectionNotes = ({ range, onDone }: SelectionNotesProps) => {
  const { clip } = useRecording()
  const words = clip.transcription
  const { data } = useRecordingNotes(clip.id)
  const { create, edit, remove, onError } = useNoteActions()
  const notes = data?.notes ?? []
  const touched = findOverlapping(findHighlights(words, notes), range)
  const note = touched ? notes.find(({ id }) => id === touched.id) : undefined
  const selected = words.slice(range.first, range.end)
  const start_s = selected[0]!.start
  // Of overlapping speakers, the last word may end before another one.
  const end_s = selected.reduce((last, { end }) => Math.max(last, end), start_s + 0.01)
  const color = (chosen: HighlightColor) => {
    if (note) edit.mutate({ note, patch: { color: chosen } }, { onError })
    else create.mutate({ clip_id: clip.id, start_s, end_s, color: chosen }, { onError })
    onDone()
  }
  const write = () => {
    openNoteDialog({ start_s, end_s, quote: note?.quote ?? joinSpoken(selected.map(({ word }) => word)), note })
    onDone()
  }
  return (
    <>
      <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
      <ColorPicker label="Highlight" value={note?.color ?? null} onChoose={color} />
      <IconButton
        name="note"
        label={note?.text ? "Edit the note" : "Add a note"}
        className="size-8 max-sm:size-11"
        onClick={write}
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
    </>
  )
}
