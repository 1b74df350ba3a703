import * as z from "zod"
import { isoTime } from "./schemas.ts"
import { LEVEL_DESCRIPTION } from "./topics/topic-tree.ts"

/** A topic as a point of the map. Coordinates have no unit; times are in seconds. */
export const topicPoint = z.object({
  topic_title: z.string(),
  clip_id: z.string(),
  clip_title: z.string(),
  level: z.int().describe(LEVEL_DESCRIPTION),
  start_s: z.number(),
  duration_s: z.number(),
  number: z.string(),
  summary: z.string(),
  x: z.number(),
  y: z.number(),
  z: z.number(),
  cluster_id: z.int().min(0),
  /** The region of the point. Null on a map with too few topics for regions. */
  region_id: z.int().min(0).nullable(),
  /** The speaker who speaks longest in the topic, and the name given to that speaker. Null if there is none. */
  speaker: z.string().nullable(),
  speaker_name: z.string().nullable(),
})
export type TopicPoint = z.infer<typeof topicPoint>

/** An undirected edge between two related topics of the same level in different recordings (indices, a < b). */
export const topicEdge = z.object({ a: z.int(), b: z.int(), similarity: z.number() })

/** An area of the map. `point` is the index of the point nearest to its center, `size` its number of points, `clips` its number of recordings, and `radius` is in map units. */
export const mapRegion = z.object({
  id: z.int().min(0),
  name: z.string(),
  point: z.int().min(0),
  size: z.int(),
  clips: z.int(),
  radius: z.number().min(0),
})
export type MapRegion = z.infer<typeof mapRegion>

/** A label of the map. `depth` 0 names a region, 1 a subregion, and 2 is the title of a topic. `point` is the index of the point nearest to the center, `region` the region, and `radius` is in map units. */
export const mapLabel = z.object({
  text: z.string(),
  depth: z.int().min(0).max(2),
  point: z.int().min(0),
  size: z.int(),
  radius: z.number().min(0),
  region: z.int().min(0),
})
export type MapLabel = z.infer<typeof mapLabel>

export const vizData = z.object({
  points: z.array(topicPoint),
  clip_ids: z.array(z.string()),
  clip_titles: z.record(z.string(), z.string()),
  /** The publication date of each clip, or else its creation date. */
  clip_dates: z.record(z.string(), isoTime),
  total_topics: z.int(),
  total_clips: z.int(),
  edges: z.array(topicEdge),
  total_clusters: z.int(),
  /** The cosine distance at which the clusters were cut: the requested one, or the one that the service chose. */
  distance_threshold: z.number(),
  /** The regions, largest first. Their IDs are their positions. */
  regions: z.array(mapRegion),
  labels: z.array(mapLabel),
  /** The version of the layout. Every refit increments it. */
  layout_version: z.int(),
  /** The embedding model whose vectors the map shows. */
  embed_model: z.string(),
})
export type VizData = z.infer<typeof vizData>

/** A part of a recording, with times in seconds. */
export const searchPassage = z.object({ text: z.string(), start_s: z.number(), end_s: z.number() })
export type SearchPassage = z.infer<typeof searchPassage>

export const searchResult = z.object({
  point_index: z.int(),
  topic_title: z.string(),
  clip_title: z.string(),
  clip_id: z.string(),
  similarity: z.number().describe("The cosine similarity of the query and the topic. Results are ordered by `score`"),
  score: z.number().describe("From 0 to 1, by meaning, title and spoken words"),
  summary: z.string(),
  /** The part of the topic that contains most of the query. Null if no part contains a word of it. */
  passage: searchPassage.nullable(),
})
export type SearchResult = z.infer<typeof searchResult>
