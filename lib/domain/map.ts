import * as z from "zod"
import { isoTime } from "./schemas.ts"
import { LEVEL_DESCRIPTION } from "./topics/topic-tree.ts"

/** A topic as a point of the map. Coordinates have no unit; times are in seconds. */
export const topicPoint = z.object({
  topic_title: z.string().describe("The title of the topic"),
  clip_id: z.string().describe("The clip of the topic"),
  clip_title: z.string().describe("The title of the clip"),
  level: z.int().describe(LEVEL_DESCRIPTION),
  start_s: z.number().describe("The start of the topic in seconds"),
  duration_s: z.number().describe("The length of the topic in seconds"),
  number: z.string().describe("The number of the topic in its clip, such as `1.2`"),
  summary: z.string().describe("The summary of the topic"),
  x: z.number().describe("The first coordinate, without a unit"),
  y: z.number().describe("The second coordinate"),
  z: z.number().describe("The third coordinate"),
  cluster_id: z.int().min(0).describe("The cluster of the point, counted from 0 in the order of the points"),
  region_id: z
    .int()
    .min(0)
    .nullable()
    .describe("The region of the point. Null on a map with too few topics for regions"),
  speaker: z.string().nullable().describe("The speaker who speaks longest in the topic. Null if nobody speaks"),
  speaker_name: z.string().nullable().describe("The name that a user gave to that speaker"),
})
export type TopicPoint = z.infer<typeof topicPoint>

/** An undirected edge between two related topics of the same level in different recordings. */
export const topicEdge = z.object({
  a: z.int().describe("The index of one point"),
  b: z.int().describe("The index of the other point, which is larger"),
  similarity: z.number().describe("The cosine similarity of the two topics"),
})

/** An area of the map. */
export const mapRegion = z.object({
  id: z.int().min(0).describe("The position of the region in the list"),
  name: z.string().describe("What is talked about there"),
  point: z.int().min(0).describe("The index of the point nearest to the center"),
  size: z.int().describe("The number of points"),
  clips: z.int().describe("The number of recordings"),
  radius: z.number().min(0).describe("In map units"),
})
export type MapRegion = z.infer<typeof mapRegion>

/** A label of the map. */
export const mapLabel = z.object({
  text: z.string().describe("The text of the label"),
  depth: z.int().min(0).max(2).describe("0 names a region, 1 a subregion, and 2 is the title of a topic"),
  point: z.int().min(0).describe("The index of the point nearest to the center"),
  size: z.int().describe("The number of points that the label stands for"),
  radius: z.number().min(0).describe("In map units"),
  region: z.int().min(0).describe("The region that the label belongs to"),
})
export type MapLabel = z.infer<typeof mapLabel>

const column = <T extends z.ZodType>(values: T, description: string) => z.array(values).describe(description)

/** The points of a map as columns: each has a value per point. They take half of the space of objects. */
export const pointColumns = z.object({
  topic_title: column(z.string(), "The titles of the topics"),
  clip: column(z.int().min(0), "The index of each topic's clip in `clip_ids`"),
  level: column(z.int(), LEVEL_DESCRIPTION),
  start_s: column(z.number(), "The starts in seconds"),
  duration_s: column(z.number(), "The lengths in seconds"),
  number: column(z.string(), "The numbers of the topics in their clips"),
  summary: column(z.string(), "The summaries"),
  per_unit: z.number().describe("The unit of the coordinates: so many make a unit of the map"),
  x: column(z.int(), "The first coordinates"),
  y: column(z.int(), "The second coordinates"),
  z: column(z.int(), "The third coordinates"),
  cluster_id: column(z.int().min(0), "The clusters"),
  region_id: column(z.int().min(0).nullable(), "The regions"),
  speaker: column(z.string().nullable(), "The speakers who speak longest in the topics"),
  speaker_name: column(z.string().nullable(), "The names that users gave to them"),
})
export type PointColumns = z.infer<typeof pointColumns>

/** The edges of a map as columns. */
export const edgeColumns = z.object({
  a: column(z.int(), "The index of one point, counted from that of the edge before"),
  b: column(z.int(), "The index of the other point, counted from `a`"),
  similarity: column(z.int(), "The cosine similarities in thousandths"),
})
export type EdgeColumns = z.infer<typeof edgeColumns>

export const vizData = z.object({
  points: z.array(topicPoint).describe("The topics. Their order does not depend on the threshold"),
  clip_ids: z.array(z.string()).describe("The clips on the map"),
  clip_titles: z.record(z.string(), z.string()).describe("The title of each clip"),
  clip_dates: z.record(z.string(), isoTime).describe("The publication date of each clip, or else its creation date"),
  total_topics: z.int().describe("The number of points"),
  total_clips: z.int().describe("The number of clips"),
  edges: z.array(topicEdge).describe("Pairs of related topics, each listed once"),
  total_clusters: z.int().describe("The number of clusters"),
  distance_threshold: z
    .number()
    .describe(
      "The cosine distance at which the clusters were cut: the requested one, or the one that the service chose",
    ),
  regions: z.array(mapRegion).describe("The regions, largest first. Their IDs are their positions"),
  labels: z.array(mapLabel).describe("The labels of regions, subregions and topics"),
  layout_version: z.int().describe("The version of the layout. Every refit increments it"),
  embed_model: z.string().describe("The embedding model whose vectors the map shows"),
  point_columns: pointColumns
    .optional()
    .describe(
      "The points as columns, which are smaller, with coordinates rounded to the 4095th part of the largest. Only if `fields` names it",
    ),
  edge_columns: edgeColumns.optional().describe("The edges as columns. Only if `fields` names it"),
})
export type VizData = z.infer<typeof vizData>

/** A part of a recording, with times in seconds. */
export const searchPassage = z.object({
  text: z.string().describe("What is said"),
  start_s: z.number().describe("The start in seconds"),
  end_s: z.number().describe("The end in seconds"),
})
export type SearchPassage = z.infer<typeof searchPassage>

export const searchResult = z.object({
  point_index: z.int().describe("The index of the topic among the points of the map"),
  topic_title: z.string().describe("The title of the topic"),
  clip_title: z.string().describe("The title of the clip"),
  clip_id: z.string().describe("The clip of the topic"),
  similarity: z.number().describe("The cosine similarity of the query and the topic. Results are ordered by `score`"),
  score: z.number().describe("From 0 to 1, by meaning, title and spoken words"),
  summary: z.string().describe("The summary of the topic"),
  passage: searchPassage
    .nullable()
    .describe("The part of the topic that contains most of the query. Null if no part contains a word of it"),
})
export type SearchResult = z.infer<typeof searchResult>
