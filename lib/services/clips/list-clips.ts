import type { ClipEntry, ClipFilters, ClipList, ClipsQuery, ListedClip } from "../../domain/clips.ts"
import type { ClipFacets } from "../../domain/tags.ts"
import type { StoredClipsQuery } from "../../storage/stores/ports/clips.ts"
import { type Deps, requireStore } from "../deps.ts"
import { getTopicRegions, type RegionDeps, type TopicRegions } from "../map/topic-regions.ts"

/** How long a list waits for the map. Later requests get the regions that were not there in time. */
const LIST_WAIT_MS = 150
/** A filter by subject needs the map. */
const SUBJECT_WAIT_MS = 5000

const MAX_GIST_CHARS = 160

/** Returns the first sentence of a summary, cut at a word if it is long. */
export const toGist = (summary: string): string => {
  const [sentence = ""] = summary.trim().split(/(?<=[.!?…])\s/, 1)
  if (sentence.length <= MAX_GIST_CHARS) return sentence
  const cut = sentence.slice(0, MAX_GIST_CHARS)
  const end = cut.lastIndexOf(" ")
  return `${cut.slice(0, end > MAX_GIST_CHARS / 2 ? end : MAX_GIST_CHARS).trimEnd()}…`
}

const toListed = (clip: ClipEntry, regions: TopicRegions): ListedClip => {
  const regionOf = regions.ofClip(clip.id)
  return {
    ...clip,
    gist: toGist(clip.topics.find(({ level }) => level === 1)?.summary ?? ""),
    strip: clip.topics
      .filter(({ level }) => level === 2)
      .map(({ start_s, duration_s, title, number }) => ({
        start_s,
        duration_s,
        title,
        region: regionOf.get(number) ?? null,
      })),
  }
}

/** Translates filters for the store, which does not know the map. */
export const toStoredFilters = async <T extends ClipFilters>(
  deps: RegionDeps,
  { subject, ...filters }: T,
): Promise<Omit<T, "subject"> & Pick<StoredClipsQuery, "ids">> => {
  if (!subject) return filters
  const { regions, clipsIn } = await getTopicRegions(deps, SUBJECT_WAIT_MS)
  const region = regions.find(({ name }) => name.toLowerCase() === subject.toLowerCase())
  return { ...filters, ids: region ? clipsIn(region.id) : [] }
}

/** Returns a page of clips without transcripts and trees, newest first. */
export const listClips = async (
  deps: Deps & RegionDeps,
  query: ClipsQuery,
  fields?: readonly string[],
): Promise<ClipList> => {
  const needsRegions = fields === undefined || fields.includes("strip")
  const [list, regions] = await Promise.all([
    toStoredFilters(deps, query).then((stored) => requireStore(deps).clips.list(stored)),
    getTopicRegions(needsRegions ? deps : { ...deps, store: null }, LIST_WAIT_MS),
  ])
  return { ...list, clips: list.clips.map((clip) => toListed(clip, regions)) }
}

/** Counts the clips of each value that a filter can have. */
export const countFacets = async (deps: Deps & RegionDeps): Promise<ClipFacets> => {
  const [counts, { regions, clipsIn }] = await Promise.all([
    requireStore(deps).clips.countFacets(),
    getTopicRegions(deps, LIST_WAIT_MS),
  ])
  const subjects = regions
    .map(({ id, name }) => ({ id, name, clips: clipsIn(id).length }))
    .filter(({ clips }) => clips > 0)
  return { ...counts, subjects }
}
