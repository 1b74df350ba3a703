import type { MapLabel, VizData } from "../../domain/map.ts"
import { cutTree } from "../../map/clusters/clusters.ts"
import type { MapSnapshot } from "../../storage/stores/ports/map.ts"
import { requireStore } from "../installation/require.ts"
import { getTopicMap, type VizDeps } from "./get-topic-map.ts"
import { mapLabels } from "./region-labels.ts"
import { separateOverlappingPoints } from "./separate-points.ts"
import type { MapView } from "./topic-map.ts"

export type VizDataQuery = { readonly distance_threshold: number }
export type VizDataAnswer = { readonly body: VizData; readonly etag: string }

/** Thresholds whose bodies are kept while a map stands: a slider goes back and forth. */
const KEPT = 16
const bodies = new WeakMap<MapView, Map<number, VizDataAnswer>>()

/**
 * The ETag that `vizData` would answer with now, for the price of two look-ups: nothing is embedded or computed.
 * @throws AppError `capability_missing` without group `rag`.
 */
export const vizEtag = async (deps: VizDeps, { distance_threshold }: VizDataQuery): Promise<string> => {
  const revision = await requireStore(deps).map.getRevision()
  const { name } = await deps.engines.embedder()
  return etagOf(revision, await getTopicMap(deps).layoutVersion(name), name, distance_threshold)
}

/**
 * All topics as points with coordinates, clusters and edges. Order and coordinates do not depend on the threshold.
 * @throws AppError `capability_missing` without group `rag`; `unavailable` when a text has no vector yet and the
 * embedding model cannot be reached.
 */
export const vizData = async (deps: VizDeps, { distance_threshold }: VizDataQuery): Promise<VizDataAnswer> => {
  const view = await getTopicMap(deps).current(await deps.engines.embedder())
  const known = bodies.get(view) ?? new Map<number, VizDataAnswer>()
  bodies.set(view, known)
  const answer = known.get(distance_threshold) ?? answerFrom(view, distance_threshold)
  known.delete(distance_threshold)
  known.set(distance_threshold, answer)
  if (known.size > KEPT) known.delete(known.keys().next().value!)
  return answer
}

const etagOf = (revision: number, layout: number, model: string, threshold: number): string =>
  `"${revision}.${layout}.${encodeURIComponent(model)}.${threshold}"`

const answerFrom = (view: MapView, threshold: number): VizDataAnswer => ({
  body: bodyFrom(view, threshold),
  etag: etagOf(view.content.snapshot.revision, view.layoutVersion, view.content.model, threshold),
})

/** Names depend on titles and places, not on the threshold. */
const labels = new WeakMap<MapSnapshot, { readonly layout: Float32Array; readonly value: MapLabel[] }>()
const labelsOf = (snapshot: MapSnapshot, layout: Float32Array, places: Float64Array): MapLabel[] => {
  const known = labels.get(snapshot)
  if (known?.layout === layout) return known.value
  const value = mapLabels(snapshot.topics, places)
  labels.set(snapshot, { layout, value })
  return value
}

const bodyFrom = ({ content, composition, layoutVersion }: MapView, threshold: number): VizData => {
  const { snapshot, points } = content
  const titles = Object.fromEntries(snapshot.clips.map((clip) => [clip.id, clip.title]))
  const names = new Map(snapshot.clips.map((clip) => [clip.id, clip.speakers]))
  const places = separateOverlappingPoints(composition.coords, points.rowOf)
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
      x: places[3 * i]!,
      y: places[3 * i + 1]!,
      z: places[3 * i + 2]!,
      cluster_id: clusters.labels[i]!,
      speaker: topic.speaker,
      speaker_name: (topic.speaker !== null && names.get(topic.clip_id)?.[topic.speaker]) || null,
    })),
    clip_ids: snapshot.clips.map((clip) => clip.id),
    clip_titles: titles,
    clip_dates: Object.fromEntries(snapshot.clips.map((clip) => [clip.id, clip.date])),
    total_topics: snapshot.topics.length,
    total_clips: snapshot.clips.length,
    edges: Array.from(a, (from, i) => ({ a: from, b: b[i]!, similarity: Math.round(similarity[i]! * 1e6) / 1e6 })),
    total_clusters: clusters.count,
    labels: labelsOf(snapshot, composition.coords, places),
    layout_version: layoutVersion,
    embed_model: content.model,
  }
}
