import { toNotesMarkdown } from "../../domain/export/notes.ts"
import type { NotesExportQuery } from "../../domain/notes.ts"
import type { Deps } from "../deps.ts"
import type { ExportedFile } from "../export/export-clip.ts"
import { collectNotes } from "./notes.ts"

/** Converts the notes that match to a file. */
export const exportNotes = async (
  deps: Pick<Deps, "store" | "groups">,
  { format, ...filters }: NotesExportQuery,
): Promise<ExportedFile & { readonly content: string }> => {
  const notes = await collectNotes(deps, filters)
  return format === "md"
    ? { content: toNotesMarkdown(notes), type: "text/markdown; charset=utf-8", name: "notes.md" }
    : { content: `${JSON.stringify({ notes }, null, 2)}\n`, type: "application/json", name: "notes.json" }
}
