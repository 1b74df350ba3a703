import type { MapRegion } from "../../domain/map.ts"
import type { ClipSection } from "../../storage/stores/ports/documents.ts"
import { getVizData, type UnclusteredMap } from "./map-data.ts"
import type { VizDeps } from "./topic-map.ts"

/** Which region of the map each topic is in. */
export type TopicRegions = {
  /** Largest first. The ID of a region is its position. */
  readonly regions: readonly MapRegion[]
  /** The region of each topic of a clip, by its number, such as `1.2`. */
  readonly ofClip: (clipId: string) => ReadonlyMap<string, number>
  /** The clips with a topic in a region. */
  readonly clipsIn: (region: number) => readonly string[]
  /** When topics in one of these regions are spoken about. Sections do not overlap. */
  readonly sectionsIn: (regions: readonly number[]) => ClipSection[]
}

const NO_TOPICS: ReadonlyMap<string, number> = new Map()
const NO_REGIONS: TopicRegions = { regions: [], ofClip: () => NO_TOPICS, clipsIn: () => [], sectionsIn: () => [] }

/** Global, because the web bundle may contain several copies of this module. */
const SHARED = Symbol.for("earmark.topicRegions")
type Shared = {
  [SHARED]?: {
    readonly indexed: WeakMap<UnclusteredMap, TopicRegions>
    /** The last regions that each store had, to be shown while newer ones are computed. */
    readonly latest: WeakMap<object, TopicRegions>
  }
}

const getShared = () => {
  const globals = globalThis as Shared
  globals[SHARED] ??= { indexed: new WeakMap(), latest: new WeakMap() }
  return globals[SHARED]
}

/** Indexes the points of a map by clip and by region. Whole recordings (level 1) are left out. */
const indexRegions = (map: UnclusteredMap): TopicRegions => {
  const { indexed } = getShared()
  const cached = indexed.get(map)
  if (cached) return cached
  const byClip = new Map<string, Map<string, number>>()
  const byRegion = map.regions.map(() => new Set<string>())
  for (const { clip_id, number, level, region_id } of map.points) {
    if (region_id === null || level === 1) continue
    const topics = byClip.get(clip_id) ?? new Map<string, number>()
    byClip.set(clip_id, topics)
    topics.set(number, region_id)
    byRegion[region_id]?.add(clip_id)
  }
  const regions: TopicRegions = {
    regions: map.regions,
    ofClip: (clipId) => byClip.get(clipId) ?? NO_TOPICS,
    clipsIn: (region) => [...(byRegion[region] ?? [])],
    sectionsIn: (wanted) =>
      joinSections(
        map.points
          .filter(({ region_id, level }) => level > 1 && region_id !== null && wanted.includes(region_id))
          .map(({ clip_id: clipId, start_s, duration_s }) => ({ clipId, start_s, end_s: start_s + duration_s })),
      ),
  }
  indexed.set(map, regions)
  return regions
}

/** Joins sections that overlap or follow each other. */
export const joinSections = (sections: readonly ClipSection[]): ClipSection[] => {
  const joined: ClipSection[] = []
  const inOrder = sections.toSorted((a, b) =>
    a.clipId < b.clipId ? -1 : a.clipId > b.clipId ? 1 : a.start_s - b.start_s,
  )
  for (const section of inOrder) {
    const last = joined.at(-1)
    if (last?.clipId !== section.clipId || section.start_s > last.end_s) joined.push(section)
    else joined[joined.length - 1] = { ...last, end_s: Math.max(last.end_s, section.end_s) }
  }
  return joined
}

/** What computes the map is only in the web process. Without it, no topic has a region. */
export type RegionDeps = Omit<VizDeps, "viz"> & Partial<Pick<VizDeps, "viz">>

/**
 * Returns the regions of the current map. If computing it takes longer than `waitMs`, returns those of the map before,
 * or none; the computation continues. Errors of the map, such as an embedding model that is unreachable, count as such a
 * delay, because a list of recordings must not fail for them.
 */
export const getTopicRegions = async (deps: RegionDeps, waitMs: number): Promise<TopicRegions> => {
  const { viz, store } = deps
  if (!viz || !store) return NO_REGIONS
  const { latest } = getShared()
  const loading = getVizData({ ...deps, viz }, {}).then(
    ({ map }) => {
      const regions = indexRegions(map)
      latest.set(store, regions)
      return regions
    },
    (err: unknown) => {
      deps.log.debug({ err }, "no regions for the list of clips: the map could not be loaded")
      return null
    },
  )
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), waitMs)
  })
  const regions = await Promise.race([loading, timeout])
  clearTimeout(timer)
  return regions ?? latest.get(store) ?? NO_REGIONS
}
