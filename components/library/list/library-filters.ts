import type { ClipEntry } from "#lib/domain/clips.ts"
import { hasKnownSpeakers } from "./speaker-summary.ts"

export const SORTS = {
  newest: "Newest first",
  oldest: "Oldest first",
  title: "Title",
  longest: "Longest first",
} as const
export type Sort = keyof typeof SORTS

export const LENGTHS = {
  any: "Any length",
  short: "Under 10 minutes",
  medium: "10 minutes to an hour",
  long: "Over an hour",
} as const
export type Length = keyof typeof LENGTHS

export const SPEAKER_COUNTS = { any: "Any speakers", one: "One speaker", several: "Several speakers" } as const
export type SpeakerCount = keyof typeof SPEAKER_COUNTS

export type LibraryFilters = { readonly sort: Sort; readonly length: Length; readonly speakers: SpeakerCount }
export const DEFAULT_FILTERS: LibraryFilters = { sort: "newest", length: "any", speakers: "any" }

const getLength = ({ duration_s }: ClipEntry): Length =>
  duration_s < 600 ? "short" : duration_s <= 3600 ? "medium" : "long"

const COMPARE: Readonly<Record<Sort, (a: ClipEntry, b: ClipEntry) => number>> = {
  newest: (a, b) => b.created_at.localeCompare(a.created_at),
  oldest: (a, b) => a.created_at.localeCompare(b.created_at),
  title: (a, b) => a.title.localeCompare(b.title, undefined, { numeric: true, sensitivity: "base" }),
  longest: (a, b) => b.duration_s - a.duration_s,
}

/** Returns the recordings that match the filters, in the selected order. */
export const filterAndSort = (clips: readonly ClipEntry[], { sort, length, speakers }: LibraryFilters): ClipEntry[] =>
  clips
    .filter((clip) => length === "any" || getLength(clip) === length)
    .filter(
      (clip) =>
        speakers === "any" || (speakers === "several" ? clip.voices > 1 : clip.voices === 1 && hasKnownSpeakers(clip)),
    )
    .sort(COMPARE[sort])
