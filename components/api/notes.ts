"use client"
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import type { Note, NotePatch, NoteRequest, NotesQuery } from "#lib/api/client/types.ts"
import { notify, notifyError } from "../ui/toast-queue.ts"
import { client, errorMessage } from "./client.ts"
import { queryKeys } from "./query-keys.ts"

const PAGE_SIZE = 50

/** Returns the notes that match, page by page. */
export const useNotes = (filters: NotesQuery) =>
  useInfiniteQuery({
    queryKey: queryKeys.noteList(filters),
    queryFn: ({ signal, pageParam }) =>
      client.notes({ ...filters, limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  })

/** Returns functions that create, change and delete notes. Lists of notes are reloaded; failures are shown. */
export const useNoteActions = () => {
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: queryKeys.notes })
  const onError = (error: unknown) => notifyError(errorMessage(error))
  const create = useMutation({ mutationFn: (note: NoteRequest) => client.createNote(note), onSettled })
  const edit = useMutation({
    mutationFn: ({ note, patch }: { note: Note; patch: NotePatch }) =>
      client.editNote(note.id, patch, { ifMatch: note.etag }),
    onSettled,
  })
  const remove = useMutation({ mutationFn: (note: Note) => client.deleteNote(note.id), onSettled, onError })
  /** Deletes a note and offers to create it again. */
  const removeWithUndo = (note: Note) => {
    const { clip_id, start_s, end_s, color, text, sources } = note
    const restore = () => create.mutate({ clip_id, start_s, end_s, color, text, sources }, { onError })
    remove.mutate(note, { onSuccess: () => notify(text === "" ? "Highlight removed" : "Note deleted", restore) })
  }
  return { create, edit, remove: removeWithUndo, onError }
}
