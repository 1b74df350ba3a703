import type { Note, NoteList } from "../../domain/notes.ts"

const note: Note = {
  id: "01a1f2c4-0d2b-7b1a-9c3e-6a5f4e3d2c1b",
  clip_id: "fa678091-b771-53c5-bb5c-b97259498be6",
  clip_title: "Keynote",
  start_s: 12.4,
  end_s: 15.2,
  quote: "the waggle dance points to the flowers",
  speaker: "Ada",
  color: "green",
  text: "Quote this in the summary.",
  sources: [],
  created_at: "2026-11-23T10:00:00.000Z",
  updated_at: "2026-11-23T10:00:00.000Z",
  etag: '"mi2z9m80-0"',
}

export const noteExamples: Readonly<{ listNotes: NoteList; createNote: Note; getNote: Note; editNote: Note }> = {
  listNotes: { notes: [note] },
  createNote: note,
  getNote: note,
  editNote: { ...note, text: "Checked.", color: "blue", etag: '"mi2z9m80-1"' },
}
