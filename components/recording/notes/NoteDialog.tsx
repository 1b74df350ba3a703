"use client"
import { errorMessage } from "../../api/client.ts"
import { useNoteActions } from "../../api/notes.ts"
import { NoteForm } from "../../notes/NoteForm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { useRecording } from "../recording-context.ts"
import { closeNoteDialog, useNoteDialog } from "./note-dialog-store.ts"

/** Writes a note on words of the recording. */
export const NoteDialog = () => {
  const { clip } = useRecording()
  const draft = useNoteDialog((s) => s.draft)
  const { create, edit } = useNoteActions()
  if (!draft) return null
  const { start_s, end_s, quote, note } = draft
  const failed = create.error ?? edit.error
  const save = (text: string) => {
    const options = { onSuccess: closeNoteDialog }
    if (note) edit.mutate({ note, patch: { text } }, options)
    else create.mutate({ clip_id: clip.id, start_s, end_s, text }, options)
  }
  return (
    <Dialog open onClose={closeNoteDialog} title={note?.text ? "Edit the note" : "Add a note"} lead={quote}>
      <NoteForm
        initial={note?.text ?? ""}
        autoFocus
        error={failed ? errorMessage(failed) : null}
        isPending={create.isPending || edit.isPending}
        onCancel={closeNoteDialog}
        onSubmit={save}
      />
    </Dialog>
  )
}
