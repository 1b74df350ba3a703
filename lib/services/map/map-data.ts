import type { VizData } from "../../domain/map.ts"
import { chooseThreshold, cutTree } from "../../map/clusters/clusters.ts"
import type { MapSnapshot } from "../../storage/stores/ports/map.ts"
import { requireStore } from "../deps.ts"
import { loadModelNames } from "./model-region-names.ts"
import { findRegions, type Regions } from "./regions.ts"
import { separateOverlappingPoints } from "./separate-points.ts"
import { getTopicMap, type MapView, type VizDeps } from "./topic-map.ts"

/** Without a threshold, one is chosen. */
export type VizDataQuery = { readonly distance_threshold?: number | undefined }
export type VizDataAnswer = { readonly body: VizData; readonly etag: string }

/** Responses for several thresholds are cached, because users move the slider back and forth. Large maps cache fewer. */
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
  const answers = cachedAnswers.get(view) ?? new Map<number | undefined, VizDataAnswer>()
  cachedAnswers.set(view, answers)
  const areas = await loadAreas(deps, view)
  const answer = answers.get(distance_threshold) ?? buildAnswer(view, areas, distance_threshold)
  // Insert again, so that the first entry is the least recently used one.
  answers.delete(distance_threshold)
  answers.set(distance_threshold, answer)
  const maxAnswers = Math.min(MAX_CACHED_THRESHOLDS, Math.floor(MAX_CACHED_POINTS / answer.body.points.length))
  if (answers.size > Math.max(1, maxAnswers)) answers.delete(answers.keys().next().value)
  return answer
}

const formatEtag = (revision: number, layout: number, model: string, threshold: number | undefined): string =>
  `"${revision}.${layout}.${encodeURIComponent(model)}.${threshold ?? "auto"}"`

const buildAnswer = (view: MapView, areas: Areas, threshold: number | undefined): VizDataAnswer => ({
  body: buildBody(view, areas, threshold),
  etag: formatEtag(view.content.snapshot.revision, view.layoutVersion, view.content.model, threshold),
})

/** What a map shows besides its composition. It does not depend on the threshold. */
type Areas = {
  /** points × 3 */
  readonly coords: Float64Array
  readonly regions: Regions
}

const cachedAreas = new WeakMap<MapView, Promise<Areas>>()

/** Finds the regions of a map, with the names that a language model gave them, if any. */
const loadAreas = (deps: VizDeps, view: MapView): Promise<Areas> => {
  const cached = cachedAreas.get(view)
  if (cached) return cached
  const { content, composition } = view
  const load = async (): Promise<Areas> => {
    const coords = separateOverlappingPoints(composition.coords, content.points.rowOf)
    const regions = await findRegions(content.index, coords)
    return { coords, regions: renameRegions(regions, await loadModelNames(deps, content.index, regions, coords)) }
  }
  const areas = load()
  cachedAreas.set(view, areas)
  areas.catch(() => cachedAreas.delete(view))
  return areas
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

const countTopicsBelowRecordings = ({ topics }: MapSnapshot): number => topics.filter(({ level }) => level > 1).length

const buildBody = (
  { content, composition, layoutVersion }: MapView,
  { coords, regions: { regions, regionOf, labels } }: Areas,
  requested: number | undefined,
): VizData => {
  const { snapshot, points } = content
  const threshold = requested ?? chooseThreshold(composition.merges, countTopicsBelowRecordings(snapshot))
  const titles = Object.fromEntries(snapshot.clips.map((clip) => [clip.id, clip.title]))
  const speakerNames = new Map(snapshot.clips.map((clip) => [clip.id, clip.speakers]))
  const clusters = cutTree(composition.merges, points.rowOf.length, threshold)
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
      cluster_id: clusters.labels[i]!,
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
    total_clusters: clusters.count,
    distance_threshold: threshold,
    regions: [...regions],
    labels: [...labels],
    layout_version: layoutVersion,
    embed_model: content.model,
  }
}
