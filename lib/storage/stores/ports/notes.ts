import type { IfMatch } from "../../../domain/clip-version.ts"
import type { Note, NoteList, NotePatch, NoteRequest, NotesQuery } from "../../../domain/notes.ts"

export type NewNote = NoteRequest & { readonly id: string }

/** Stores highlights and notes. Deleting a clip deletes its notes. */
export interface NoteStore {
  /**
   * Returns null for an unknown clip.
   * @throws AppError `invalid` if no words are said in the range, `conflict` if there are too many notes
   */
  create(note: NewNote): Promise<Note | null>
  /** Lists notes, newest first. */
  list(query: NotesQuery): Promise<NoteList>
  get(id: string): Promise<Note | null>
  /**
   * Returns null for an unknown note.
   * @throws AppError `precondition_failed` if `ifMatch` names another version, `invalid` for an empty note
   */
  update(id: string, patch: NotePatch, ifMatch?: IfMatch): Promise<Note | null>
  /** Returns false for an unknown note. @throws AppError `precondition_failed` as `update` */
  delete(id: string, ifMatch?: IfMatch): Promise<boolean>
}
