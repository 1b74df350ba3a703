import type { ClipRow, Sort } from "./library-params.ts"

export type LibraryItem =
  | { readonly kind: "heading"; readonly key: string; readonly text: string }
  | { readonly kind: "clip"; readonly key: string; readonly clip: ClipRow; readonly index: number }

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A point in time, and the minutes by which UTC is ahead of the local time, as `Date.getTimezoneOffset` returns them. */
export type LocalClock = { readonly now: number; readonly offsetMinutes: number }

/** Returns the group of a date: `Today`, `Yesterday`, `This week`, or a month. */
const nameGroup = (iso: string, { now, offsetMinutes }: LocalClock): string => {
  const local = Date.parse(iso) - offsetMinutes * MINUTE_MS
  const days = Math.floor((now - offsetMinutes * MINUTE_MS) / DAY_MS) - Math.floor(local / DAY_MS)
  if (days <= 0) return "Today"
  if (days === 1) return "Yesterday"
  if (days < 7) return "This week"
  return new Date(local).toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" })
}

/** Puts headings between recordings that are sorted by date. Other orders have no headings. */
export const groupRows = (clips: readonly ClipRow[], sort: Sort, clock: LocalClock): LibraryItem[] => {
  const isByDate = sort === "-created_at" || sort === "created_at"
  let last: string | null = null
  return clips.flatMap((clip, index): LibraryItem[] => {
    const row = { kind: "clip", key: clip.id, clip, index } as const
    const group = isByDate ? nameGroup(clip.created_at, clock) : null
    if (group === null || group === last) return [row]
    last = group
    return [{ kind: "heading", key: `heading ${group}`, text: group }, row]
  })
}
