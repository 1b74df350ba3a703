import type { SearchAnswer } from "#lib/domain/search.ts"
import type { ClipRow } from "./library-params.ts"

export type Hit = {
  readonly kind: "topic" | "words" | "note"
  readonly text: string
  readonly marks: readonly (readonly [number, number])[]
  readonly start_s: number
  /** The title of a topic. */
  readonly title?: string
}

export type ResultGroup = {
  readonly id: string
  readonly title: string
  readonly titleMarks: readonly (readonly [number, number])[]
  readonly hits: readonly Hit[]
  /** Undefined if the list does not contain the recording, or not yet. */
  readonly clip: ClipRow | undefined
}

type GroupOptions = {
  /** True if only listed recordings are results, because filters apply. */
  readonly isFiltered: boolean
  /** True if the order is that of the list instead of the relevance. */
  readonly isSorted: boolean
}

type Draft = { title: string; marks: readonly (readonly [number, number])[]; hits: Hit[] }

const isSameHit = (a: Hit, b: Hit): boolean => a.text === b.text && Math.abs(a.start_s - b.start_s) < 1

/**
 * Groups the hits of a search by recording. Recordings are in the order of their best hit: titles first, then topics,
 * words and notes. Hits of a recording are in the order of time; the same text at the same time is listed once.
 */
export const groupHits = (
  found: SearchAnswer,
  listed: readonly ClipRow[],
  { isFiltered, isSorted }: GroupOptions,
): ResultGroup[] => {
  const drafts = new Map<string, Draft>()
  const draftOf = (id: string, title: string): Draft => {
    const draft = drafts.get(id) ?? { title, marks: [], hits: [] }
    drafts.set(id, draft)
    return draft
  }
  const add = (id: string, title: string, hit: Hit): void => {
    const { hits } = draftOf(id, title)
    if (!hits.some((other) => isSameHit(other, hit))) hits.push(hit)
  }
  for (const { clip_id, text, marks } of found.titles) draftOf(clip_id, text).marks = marks
  for (const { clip_id, clip_title, ...hit } of found.topics) add(clip_id, clip_title, { kind: "topic", ...hit })
  for (const { clip_id, clip_title, text, marks, start_s } of found.words)
    add(clip_id, clip_title, { kind: "words", text, marks, start_s })
  for (const { clip_id, clip_title, text, marks, start_s } of found.notes)
    if (clip_id !== null) add(clip_id, clip_title ?? "", { kind: "note", text, marks, start_s: start_s ?? 0 })
  for (const clip of listed) draftOf(clip.id, clip.title)
  const rows = new Map(listed.map((clip) => [clip.id, clip]))
  const groups = [...drafts].map(
    ([id, { title, marks, hits }]): ResultGroup => ({
      id,
      title,
      titleMarks: marks,
      hits: hits.toSorted((a, b) => a.start_s - b.start_s),
      clip: rows.get(id),
    }),
  )
  const shown = isFiltered ? groups.filter(({ clip }) => clip !== undefined) : groups
  if (!isSorted) return shown
  const order = new Map(listed.map(({ id }, i) => [id, i]))
  return shown.toSorted((a, b) => (order.get(a.id) ?? listed.length) - (order.get(b.id) ?? listed.length))
}
