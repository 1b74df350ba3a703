import { create } from "zustand"
import type { Note } from "#lib/api/client/types.ts"

/** Words of the recording that a note is written on, with their times in seconds, and the note if there is one. */
export type NoteDraft = {
  readonly start_s: number
  readonly end_s: number
  readonly quote: string
  readonly note: Note | undefined
}

/** The draft in the dialog. It outlives the selection of the words, which ends when the dialog opens. */
export const useNoteDialog = create<{ readonly draft: NoteDraft | null }>(() => ({ draft: null }))

export const openNoteDialog = (draft: NoteDraft): void => useNoteDialog.setState({ draft })
export const closeNoteDialog = (): void => useNoteDialog.setState({ draft: null })
