import type { ListedClip } from "#lib/domain/clips.ts"

export const SORTS = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  title: "Title A–Z",
  "-title": "Title Z–A",
  "-duration_s": "Longest first",
  duration_s: "Shortest first",
} as const
export type Sort = keyof typeof SORTS
export const DEFAULT_SORT: Sort = "-created_at"

export const LENGTHS = {
  short: "Under 10 minutes",
  medium: "10 minutes to an hour",
  long: "Over an hour",
} as const
export type Length = keyof typeof LENGTHS

const LENGTH_RANGES: Readonly<Record<Length, { min_duration_s?: number; max_duration_s?: number }>> = {
  short: { max_duration_s: 600 },
  medium: { min_duration_s: 600, max_duration_s: 3600 },
  long: { min_duration_s: 3600 },
}

export const STATES = { ready: "Ready", processing: "Processing", failed: "Failed" } as const
export type ClipState = keyof typeof STATES

/** What the library page shows, as in its address. Missing: not filtered. */
export type LibraryParams = {
  readonly q?: string
  readonly subject?: string
  readonly person?: string
  /** Tags separated by commas. A recording needs all of them. */
  readonly tag?: string
  /** Dates such as `2026-11-23`. The recordings were added on this day or later, or on this day or before. */
  readonly from?: string
  readonly to?: string
  readonly length?: Length
  readonly language?: string
  readonly state?: ClipState
  readonly favorite?: "true"
  readonly sort?: Sort
}

const NAMES = [
  "q",
  "subject",
  "person",
  "tag",
  "from",
  "to",
  "length",
  "language",
  "state",
  "favorite",
  "sort",
] as const satisfies readonly (keyof LibraryParams)[]
/** The names of the filters, that is, without the search and the order. */
export const FILTER_NAMES = NAMES.filter((name) => name !== "q" && name !== "sort")

const MAX_VALUE_CHARS = 200

const isValid = (name: (typeof NAMES)[number], value: string): boolean => {
  if (name === "length") return Object.hasOwn(LENGTHS, value)
  if (name === "state") return Object.hasOwn(STATES, value)
  if (name === "sort") return Object.hasOwn(SORTS, value) && value !== DEFAULT_SORT
  if (name === "favorite") return value === "true"
  if (name === "from" || name === "to")
    return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) && Date.parse(value) < 8.64e15 - 864e5
  return true
}

/** Reads the parameters of an address. Unknown and invalid ones are left out. */
export const parseLibraryParams = (search: URLSearchParams): LibraryParams =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search.get(name)?.trim().slice(0, MAX_VALUE_CHARS)
      return value && isValid(name, value) ? [[name, value]] : []
    }),
  )

/** Returns the query string of an address, in a fixed order and without `?`. */
export const toSearch = (params: LibraryParams): string => {
  const search = new URLSearchParams()
  for (const name of NAMES) {
    const value = params[name]?.trim()
    if (value && isValid(name, value)) search.set(name, value)
  }
  return search.toString()
}

export const countFilters = (params: LibraryParams): number =>
  FILTER_NAMES.filter((name) => params[name] !== undefined).length

const DAY_MS = 86_400_000

/** The fields of a recording in a list. The page uses no others. */
export const ROW_FIELDS = [
  "id",
  "title",
  "created_at",
  "duration_s",
  "language",
  "speakers",
  "voices",
  "diarized",
  "provider",
  "tags",
  "favorite",
  "gist",
  "strip",
] as const satisfies readonly (keyof ListedClip)[]
export type ClipRow = Pick<ListedClip, (typeof ROW_FIELDS)[number]>

export const PAGE_SIZE = 60

/** Returns the query of `GET /clips` for the filters and the order of the page. */
export const toClipsQuery = ({ q: _, person, from, to, length, sort = DEFAULT_SORT, ...others }: LibraryParams) => ({
  ...others,
  ...(person && { speaker: person }),
  ...(from && { created_after: from }),
  ...(to && { created_before: new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10) }),
  ...(length && LENGTH_RANGES[length]),
  sort,
  limit: PAGE_SIZE,
})
export type ListQuery = ReturnType<typeof toClipsQuery>
