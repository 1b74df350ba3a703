import type { ClipSummary } from "../summaries.ts"
import { formatClock } from "../text/format-clock.ts"
import { type ExportableClip, oneLine } from "./clip-text.ts"
import { sortByTime } from "./notes.ts"
import { describeOrigin, describeTask, groupLines } from "./summaries.ts"

/** A line of what people added to a recording, or had made of it. */
export type AddedLine = {
  readonly text: string
  /** What belongs to the line: who does it and until when, or the text of a note. */
  readonly detail: string | null
  /** In seconds; null for a note without words. */
  readonly start_s: number | null
}

/** A section of a document before its transcript. */
export type AddedSection = {
  readonly title: string
  /** 1 for a summary or the notes, 2 for a section of a summary. */
  readonly depth: 1 | 2
  /** What made the lines. Empty if that need not be said. */
  readonly origin: string
  readonly lines: readonly AddedLine[]
}

const toSections = (summary: ClipSummary): AddedSection[] => {
  const groups = groupLines(summary.lines).map(({ title, lines }) => ({
    title,
    lines: lines.map(
      ({ text, detail, start_s, owner, due }): AddedLine => ({
        text,
        detail: describeTask({ owner, due }) || detail,
        start_s,
      }),
    ),
  }))
  const isPlain = groups.length === 1 && groups[0]!.title === null
  const head: AddedSection = {
    title: summary.name,
    depth: 1,
    origin: describeOrigin(summary),
    lines: isPlain ? groups[0]!.lines : [],
  }
  if (isPlain) return [head]
  return [
    head,
    ...groups.map(({ title, lines }): AddedSection => ({ title: title ?? "", depth: 2, origin: "", lines })),
  ]
}

/** Returns the summaries with lines and the notes of a clip, which a document shows before the transcript. */
export const listAdditions = ({ summaries = [], notes = [] }: ExportableClip): AddedSection[] => {
  const made = summaries.filter(({ lines }) => lines.length > 0).flatMap(toSections)
  if (notes.length === 0) return made
  const lines = sortByTime(notes).map(({ quote, text, start_s, speaker }): AddedLine => {
    if (quote === null) return { text: oneLine(text), detail: null, start_s: null }
    const quoted = `“${oneLine(quote)}”${speaker === null ? "" : ` — ${speaker}`}`
    return { text: quoted, detail: text === "" ? null : oneLine(text), start_s }
  })
  return [...made, { title: "Highlights and notes", depth: 1, origin: "", lines }]
}

/** Formats the time of a line, or returns null if it has none. */
export const clockOf = ({ start_s }: AddedLine): string | null => (start_s === null ? null : formatClock(start_s))
