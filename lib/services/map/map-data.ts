import type { TopicPoint, VizData } from "../../domain/map.ts"
import { chooseThreshold, cutTree } from "../../map/clusters/clusters.ts"
import type { MapSnapshot } from "../../storage/stores/ports/map.ts"
import { requireStore } from "../deps.ts"
import { loadModelNames } from "./model-region-names.ts"
import { findRegions, type Regions } from "./regions.ts"
import { separateOverlappingPoints } from "./separate-points.ts"
import { getTopicMap, type MapView, type VizDeps } from "./topic-map.ts"

/** Without a threshold, one is chosen. */
export type VizDataQuery = { readonly distance_threshold?: number | undefined }
export type VizDataAnswer = {
  readonly map: UnclusteredMap
  readonly clusters: MapClusters
  readonly etag: string
  /** The map and its clusters together, assembled on first use. */
  readonly body: VizData
}

/** A map without its clusters. It is the same object for every threshold. */
export type UnclusteredMap = Omit<VizData, "points" | keyof ClusterFigures> & {
  readonly points: readonly Omit<TopicPoint, "cluster_id">[]
}
type ClusterFigures = Pick<VizData, "total_clusters" | "distance_threshold">
export type MapClusters = ClusterFigures & {
  /** The cluster of each point. */
  readonly labels: Int32Array
}

/** Responses for several thresholds are cached, because callers ask for the same ones again. Large maps cache fewer. */
const MAX_CACHED_THRESHOLDS = 16
const MAX_CACHED_POINTS = 200_000
const cachedAnswers = new WeakMap<MapView, Map<number | undefined, VizDataAnswer>>()

/**
 * Returns the current ETag of `getVizData` without embedding or computing anything.
 * @throws AppError `capability_missing` without group `rag`
 */
export const getVizEtag = async (deps: VizDeps, { distance_threshold }: VizDataQuery): Promise<string> => {
  const revision = await requireStore(deps).map.getRevision()
  const { name } = await deps.engines.getEmbedder()
  return formatEtag(revision, await getTopicMap(deps).getLayoutVersion(name), name, distance_threshold)
}

/**
 * Returns all topics as points with coordinates, clusters and edges. Order and coordinates do not depend on the threshold.
 * @throws AppError `capability_missing` without group `rag`, `unavailable` if a vector is missing and the embedding model
 * is unreachable
 */
export const getVizData = async (deps: VizDeps, { distance_threshold }: VizDataQuery): Promise<VizDataAnswer> => {
  const view = await getTopicMap(deps).loadView(await deps.engines.getEmbedder())
  const map = await loadMap(deps, view)
  const answers = cachedAnswers.get(view) ?? new Map<number | undefined, VizDataAnswer>()
  cachedAnswers.set(view, answers)
  const answer = answers.get(distance_threshold) ?? buildAnswer(view, map, distance_threshold)
  // Insert again, so that the first entry is the least recently used one.
  answers.delete(distance_threshold)
  answers.set(distance_threshold, answer)
  const maxAnswers = Math.min(MAX_CACHED_THRESHOLDS, Math.floor(MAX_CACHED_POINTS / map.points.length))
  if (answers.size > Math.max(1, maxAnswers)) answers.delete(answers.keys().next().value)
  return answer
}

const formatEtag = (revision: number, layout: number, model: string, threshold: number | undefined): string =>
  `"${revision}.${layout}.${encodeURIComponent(model)}.${threshold ?? "auto"}"`

const buildAnswer = (view: MapView, map: UnclusteredMap, requested: number | undefined): VizDataAnswer => {
  const clusters = cutClusters(view, requested)
  let body: VizData | null = null
  return {
    map,
    clusters,
    etag: formatEtag(view.content.snapshot.revision, view.layoutVersion, view.content.model, requested),
    get body() {
      body ??= addClusters(map, clusters)
      return body
    },
  }
}

const addClusters = (map: UnclusteredMap, { labels, ...figures }: MapClusters): VizData => ({
  ...map,
  ...figures,
  points: map.points.map((point, i) => ({ ...point, cluster_id: labels[i]! })),
})

const cutClusters = ({ content, composition }: MapView, requested: number | undefined): MapClusters => {
  const { merges } = composition
  const distance_threshold = requested ?? chooseThreshold(merges, countTopicsBelowRecordings(content.snapshot))
  const { labels, count } = cutTree(merges, content.points.rowOf.length, distance_threshold)
  return { labels, total_clusters: count, distance_threshold }
}

const countTopicsBelowRecordings = ({ topics }: MapSnapshot): number => topics.filter(({ level }) => level > 1).length

type Areas = {
  /** points × 3 */
  readonly coords: Float64Array
  readonly regions: Regions
}

/** Global, because the web bundle may contain several copies of this module, and regions take up to a second to find. */
const MAPS = Symbol.for("earmark.unclusteredMaps")
type Shared = { [MAPS]?: WeakMap<MapView, Promise<UnclusteredMap>> }

const loadMap = (deps: VizDeps, view: MapView): Promise<UnclusteredMap> => {
  const shared = globalThis as Shared
  shared[MAPS] ??= new WeakMap()
  const cachedMaps = shared[MAPS]
  const cached = cachedMaps.get(view)
  if (cached) return cached
  const map = findAreas(deps, view).then((areas) => buildMap(view, areas))
  cachedMaps.set(view, map)
  map.catch(() => cachedMaps.delete(view))
  return map
}

/** Finds the regions of a map, with the names that a language model gave them, if any. */
const findAreas = async (deps: VizDeps, { content, composition }: MapView): Promise<Areas> => {
  const coords = separateOverlappingPoints(composition.coords, content.points.rowOf)
  const regions = await findRegions(content.index, coords)
  return { coords, regions: renameRegions(regions, await loadModelNames(deps, content.index, regions, coords)) }
}

/** Replaces names of regions and their labels. A name that another region has already is not used. */
const renameRegions = (found: Regions, names: ReadonlyMap<number, string>): Regions => {
  const used = new Set(found.labels.map(({ text }) => text.toLowerCase()))
  const chosen = new Map<number, string>()
  for (const [id, name] of names) {
    if (used.has(name.toLowerCase())) continue
    used.add(name.toLowerCase())
    chosen.set(id, name)
  }
  return {
    ...found,
    regions: found.regions.map((region) => ({ ...region, name: chosen.get(region.id) ?? region.name })),
    labels: found.labels.map((label) =>
      label.depth === 0 ? { ...label, text: chosen.get(label.region) ?? label.text } : label,
    ),
  }
}

const buildMap = (
  { content, composition, layoutVersion }: MapView,
  { coords, regions: { regions, regionOf, labels } }: Areas,
): UnclusteredMap => {
  const { snapshot } = content
  const titles = Object.fromEntries(snapshot.clips.map((clip) => [clip.id, clip.title]))
  const speakerNames = new Map(snapshot.clips.map((clip) => [clip.id, clip.speakers]))
  const { a, b, similarity } = composition.edges
  return {
    points: snapshot.topics.map((topic, i) => ({
      topic_title: topic.title,
      clip_id: topic.clip_id,
      clip_title: titles[topic.clip_id] ?? "",
      level: topic.level,
      start_s: topic.start_s,
      duration_s: topic.duration_s,
      number: topic.number,
      summary: topic.summary,
      x: coords[3 * i]!,
      y: coords[3 * i + 1]!,
      z: coords[3 * i + 2]!,
      region_id: regionOf[i]! < 0 ? null : regionOf[i]!,
      speaker: topic.speaker,
      speaker_name: (topic.speaker !== null && speakerNames.get(topic.clip_id)?.[topic.speaker]) || null,
    })),
    clip_ids: snapshot.clips.map((clip) => clip.id),
    clip_titles: titles,
    clip_dates: Object.fromEntries(snapshot.clips.map((clip) => [clip.id, clip.date])),
    total_topics: snapshot.topics.length,
    total_clips: snapshot.clips.length,
    edges: Array.from(a, (from, i) => ({ a: from, b: b[i]!, similarity: Math.round(similarity[i]! * 1e6) / 1e6 })),
    regions: [...regions],
    labels: [...labels],
    layout_version: layoutVersion,
    embed_model: content.model,
  }
}
