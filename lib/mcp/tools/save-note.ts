import * as z from "zod"
import { note, noteRequest } from "../../domain/notes.ts"
import { formatTime } from "../times.ts"
import { defineTool } from "../tool.ts"
import { clipId } from "./clip-id.ts"

const { start_s, end_s } = noteRequest.shape

export const saveNote = defineTool({
  name: "save_note",
  title: "Save a note",
  description:
    "Saves a note of the user: on words of a recording (clip_id with start_s and end_s, which highlights them), on a recording, or without one. Notes are listed, searched and exported in Earmark.",
  input: z.object({
    text: z.string().min(1).max(10_000).describe("The note"),
    clip_id: clipId.optional(),
    start_s: start_s.unwrap().unwrap().optional().describe("Where the words start, in seconds"),
    end_s: end_s.unwrap().unwrap().optional().describe("Where the words end, in seconds"),
  }),
  output: note,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: async (api, input, signal) => {
    const saved = await api.createNote(input, { signal })
    const place = saved.start_s === null ? "" : ` at ${formatTime(saved.start_s)}`
    const where = saved.clip_title === null ? "in the library" : `on "${saved.clip_title}"${place}`
    return { text: `Saved a note ${where}.`, data: saved }
  },
})
