import type { QueryFilter } from "#lib/domain/documents.ts"
import type { IconName } from "../ui/Icon.tsx"

export type ChipKind = "clip" | "tag" | "speaker" | "region" | "document" | "after" | "before"

/** A condition of a question, as a chip shows it. */
export type Chip = { readonly kind: ChipKind; readonly value: string; readonly label: string }

export const CHIP_ICONS: Readonly<Record<ChipKind, IconName>> = {
  clip: "wave",
  tag: "tag",
  speaker: "person",
  region: "map",
  document: "file",
  after: "time",
  before: "time",
}

const LISTS = {
  clip: "clip_ids",
  tag: "tags",
  speaker: "speakers",
  region: "regions",
  document: "documents",
} as const satisfies Partial<Record<ChipKind, keyof QueryFilter>>

/** Adds a chip. There is one date of each kind. */
export const addChip = (chips: readonly Chip[], chip: Chip): Chip[] => {
  const isDate = chip.kind === "after" || chip.kind === "before"
  return [...chips.filter(({ kind, value }) => kind !== chip.kind || (!isDate && value !== chip.value)), chip]
}

/** Returns the filter that chips describe, or null without any. */
export const toFilter = (chips: readonly Chip[]): QueryFilter | null => {
  const filter: QueryFilter = {}
  for (const { kind, value } of chips) {
    if (kind === "after" || kind === "before") filter[kind] = value
    else filter[LISTS[kind]] = [...(filter[LISTS[kind]] ?? []), value]
  }
  return chips.length > 0 ? filter : null
}

export const describeDate = (kind: "after" | "before", value: string): string =>
  `${kind === "after" ? "Since" : "Before"} ${value.slice(0, 10)}`

/** Returns the chips of a filter. `nameOf` gives the titles of recordings and documents that are known. */
export const toChips = (
  filter: QueryFilter | null,
  nameOf: (kind: "clip" | "document", id: string) => string | undefined,
): Chip[] => {
  if (!filter) return []
  const listed = (Object.keys(LISTS) as (keyof typeof LISTS)[]).flatMap((kind) =>
    (filter[LISTS[kind]] ?? []).map((value): Chip => {
      const isNamed = kind === "clip" || kind === "document"
      const unknown = kind === "clip" ? "A recording" : "A document"
      return { kind, value, label: isNamed ? (nameOf(kind, value) ?? unknown) : value }
    }),
  )
  const dated = (["after", "before"] as const).flatMap((kind) => {
    const value = filter[kind]
    return value === undefined ? [] : [{ kind, value, label: describeDate(kind, value) }]
  })
  return [...listed, ...dated]
}

/** What is typed after the last `@` before the caret: its text and where it starts. Null if no `@` is being typed. */
export const findMention = (text: string, caret: number): { readonly query: string; readonly from: number } | null => {
  const from = caret > 0 ? text.lastIndexOf("@", caret - 1) : -1
  if (from < 0 || (from > 0 && !/\s/.test(text[from - 1]!))) return null
  const query = text.slice(from + 1, caret)
  return query.length <= 60 && !/[\n@]/.test(query) && !/\s\s/.test(query) ? { query, from } : null
}

const DAY_MS = 86_400_000
const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Lists the dates that a mention may mean: recent ones by name, or the date that is typed. */
export const listDates = (query: string, now: number): Chip[] => {
  const typed = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(query.trim())
  if (typed) {
    const value = `${typed[1]}-${typed[2] ?? "01"}-${typed[3] ?? "01"}`
    if (Number.isNaN(Date.parse(value))) return []
    return (["after", "before"] as const).map((kind) => ({ kind, value, label: describeDate(kind, value) }))
  }
  const recent: readonly Chip[] = [
    { kind: "after", value: isoDay(now - 7 * DAY_MS), label: "Last 7 days" },
    { kind: "after", value: isoDay(now - 30 * DAY_MS), label: "Last 30 days" },
    { kind: "after", value: `${isoDay(now).slice(0, 4)}-01-01`, label: "This year" },
  ]
  return recent.filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()))
}
