import type { IfMatch } from "../../domain/clip-version.ts"
import { MAX_NOTES } from "../../domain/constants.ts"
import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type { Note, NoteFilters, NoteList, NotePatch, NoteRequest, NotesQuery } from "../../domain/notes.ts"
import { unknownClip } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"

type NoteRef = { readonly id: string }
type NoteDeps = Pick<Deps, "store" | "groups">

const unknownNote = (id: string): AppError => new AppError("not_found", `unknown note '${id}'`)

/**
 * Creates a highlight, a note on words, or a note on a clip or the library, such as a saved answer with its sources.
 * @throws AppError `not_found` for an unknown clip; others as `NoteStore.create`
 */
export const createNote = async (deps: NoteDeps, request: NoteRequest): Promise<Note> => {
  const created = await requireStore(deps).notes.create({ ...request, id: newId() })
  if (created === null) throw unknownClip(request.clip_id ?? "")
  return created
}

/** Lists notes, newest first. */
export const listNotes = (deps: NoteDeps, query: NotesQuery): Promise<NoteList> => requireStore(deps).notes.list(query)

/** Returns a note. @throws AppError `not_found` */
export const getNote = async (deps: NoteDeps, { id }: NoteRef): Promise<Note> => {
  const found = await requireStore(deps).notes.get(id)
  if (found === null) throw unknownNote(id)
  return found
}

/** Changes a note. @throws AppError `not_found`; others as `NoteStore.update` */
export const editNote = async (deps: NoteDeps, { id }: NoteRef, patch: NotePatch, ifMatch?: IfMatch): Promise<Note> => {
  const changed = await requireStore(deps).notes.update(id, patch, ifMatch)
  if (changed === null) throw unknownNote(id)
  return changed
}

/** Deletes a note. @throws AppError `not_found`, `precondition_failed` */
export const deleteNote = async (deps: NoteDeps, { id }: NoteRef, ifMatch?: IfMatch): Promise<void> => {
  if (!(await requireStore(deps).notes.delete(id, ifMatch))) throw unknownNote(id)
}

const PAGE_SIZE = 1000

/** Returns all notes that match, newest first. */
export const collectNotes = async (deps: NoteDeps, filters: NoteFilters): Promise<Note[]> => {
  const collected: Note[] = []
  let cursor: string | undefined
  do {
    const page = await listNotes(deps, { ...filters, limit: PAGE_SIZE, cursor })
    collected.push(...page.notes)
    cursor = page.next_cursor
  } while (cursor !== undefined && collected.length < MAX_NOTES)
  return collected
}
