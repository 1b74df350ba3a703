import type { ClipEntry } from "#lib/domain/clips.ts"
import { hasKnownSpeakers } from "./speaker-summary.ts"

export const SORTS = {
  newest: "Newest first",
  oldest: "Oldest first",
  title: "By title",
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

/** The recordings as one wishes to see them. */
export const filterAndSort = (
  clips: readonly ClipEntry[],
  { sort, length, speakers: voices }: LibraryFilters,
): ClipEntry[] =>
  clips
    .filter((clip) => length === "any" || getLength(clip) === length)
    .filter(
      (clip) =>
        voices === "any" || (voices === "several" ? clip.voices > 1 : clip.voices === 1 && hasKnownSpeakers(clip)),
    )
    .sort(COMPARE[sort])

/** What a job is made of: an address or a path, and a title where somebody knows one. */
export type Source = { readonly source: string; readonly title?: string }

/** Addresses and paths as they are pasted: one a line, each once. */
export const parseSources = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

/** A web address (YouTube's also without its scheme), or a whole path on the service's machine. */
const SOURCE = /^([a-z][a-z0-9+.-]+:(?!\s)|(www\.|m\.|music\.)?(youtube\.com|youtu\.be)\/|\/|~\/)/i

/**
 * Why a line is no source, in a sentence; null where it may be one. Which addresses are read and what lies at a path the
 * service knows; that a name without a folder is looked for in the folder where it was started, nobody means here.
 */
export const getSourceError = (line: string): string | null =>
  SOURCE.test(line)
    ? null
    : "This is neither a web address, which begins with https://, nor a whole path on this service's machine, which begins with /."
