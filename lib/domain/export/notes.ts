import type { Note } from "../notes.ts"
import { formatClock } from "../text/format-clock.ts"
import { escapeMarkdown } from "./escape-markdown.ts"

/** Notes of one recording, or of the library if `title` is null. */
export type NoteGroup = { readonly title: string | null; readonly notes: readonly Note[] }

/** Groups notes by recording, in the order of each recording's first note, and sorts those of a recording by time. */
export const groupNotes = (notes: readonly Note[]): NoteGroup[] => {
  const groups = new Map<string | null, Note[]>()
  for (const note of notes) groups.set(note.clip_id, [...(groups.get(note.clip_id) ?? []), note])
  return [...groups.values()].map((group) => ({ title: group[0]!.clip_title, notes: sortByTime(group) }))
}

/** Sorts the notes of a recording: those without words first, then by time. */
export const sortByTime = (notes: readonly Note[]): Note[] =>
  notes.toSorted((a, b) => (a.start_s ?? -1) - (b.start_s ?? -1) || Date.parse(a.created_at) - Date.parse(b.created_at))

/** Writes a text of several lines, each with a prefix. */
const prefixLines = (text: string, prefix: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `${prefix}${escapeMarkdown(line)}`.trimEnd())
    .join("\n")

const toSource = ({ title, start_s, page }: Note["sources"][number], i: number): string => {
  const place = start_s !== undefined ? `, ${formatClock(start_s)}` : page !== undefined ? `, page ${page}` : ""
  return `${i + 1}. ${escapeMarkdown(title)}${place}`
}

/** Writes a note as Markdown: the words as a quote with speaker and time, the text, and its sources. */
export const toNoteMarkdown = ({ quote, speaker, start_s, text, sources }: Note): string => {
  const parts: string[] = []
  if (quote !== null) {
    const by = speaker === null ? "" : `${escapeMarkdown(speaker)}, `
    parts.push(`${prefixLines(quote, "> ")}\n>\n> — ${by}${formatClock(start_s ?? 0)}`)
  }
  if (text !== "") parts.push(prefixLines(text, ""))
  if (sources.length > 0) parts.push(sources.map(toSource).join("\n"))
  return parts.join("\n\n")
}

/** Writes notes as Markdown, grouped by recording. */
export const toNotesMarkdown = (notes: readonly Note[]): string => {
  const sections = groupNotes(notes).map(({ title, notes: own }) =>
    [`## ${title === null ? "Library" : escapeMarkdown(title)}`, own.map(toNoteMarkdown).join("\n\n---\n\n")].join(
      "\n\n",
    ),
  )
  return `${["# Highlights and notes", ...(sections.length > 0 ? sections : ["No notes."])].join("\n\n")}\n`
}
