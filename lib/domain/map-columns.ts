import type { EdgeColumns, PointColumns, TopicPoint, VizData } from "./map.ts"

/** Steps between zero and the largest coordinate. Two points at the same place are 16 steps apart. */
const STEPS = 4095
const SIMILARITY_STEPS = 1000

type UnclusteredPoint = Omit<TopicPoint, "cluster_id">

/**
 * Returns points as columns, without their clusters, which depend on a threshold. `steps` is the number of steps between
 * zero and the largest coordinate.
 */
export const toPointColumns = (
  points: readonly UnclusteredPoint[],
  clipIds: readonly string[],
  steps = STEPS,
): Omit<PointColumns, "cluster_id"> => {
  let largest = 0
  for (const { x, y, z } of points) largest = Math.max(largest, Math.abs(x), Math.abs(y), Math.abs(z))
  const per_unit = largest === 0 ? 1 : steps / largest
  const indexOf = new Map(clipIds.map((id, i) => [id, i]))
  const column = <Name extends keyof UnclusteredPoint>(name: Name): UnclusteredPoint[Name][] =>
    points.map((point) => point[name])
  const toSteps = (name: "x" | "y" | "z"): number[] => points.map((point) => Math.round(point[name] * per_unit))
  return {
    topic_title: column("topic_title"),
    clip: points.map(({ clip_id }) => indexOf.get(clip_id)!),
    level: column("level"),
    start_s: column("start_s"),
    duration_s: column("duration_s"),
    number: column("number"),
    summary: column("summary"),
    per_unit,
    x: toSteps("x"),
    y: toSteps("y"),
    z: toSteps("z"),
    region_id: column("region_id"),
    speaker: column("speaker"),
    speaker_name: column("speaker_name"),
  }
}

/** Returns edges as columns. */
export const toEdgeColumns = (edges: VizData["edges"]): EdgeColumns => ({
  a: edges.map(({ a }, i) => a - (i === 0 ? 0 : edges[i - 1]!.a)),
  b: edges.map(({ a, b }) => b - a),
  similarity: edges.map(({ similarity }) => Math.round(similarity * SIMILARITY_STEPS)),
})

/** Returns the points that columns stand for. */
export const fromPointColumns = (
  columns: PointColumns,
  { clip_ids, clip_titles }: Pick<VizData, "clip_ids" | "clip_titles">,
): TopicPoint[] =>
  columns.topic_title.map((topic_title, i) => {
    const clip_id = clip_ids[columns.clip[i]!]!
    return {
      topic_title,
      clip_id,
      clip_title: clip_titles[clip_id] ?? "",
      level: columns.level[i]!,
      start_s: columns.start_s[i]!,
      duration_s: columns.duration_s[i]!,
      number: columns.number[i]!,
      summary: columns.summary[i]!,
      x: columns.x[i]! / columns.per_unit,
      y: columns.y[i]! / columns.per_unit,
      z: columns.z[i]! / columns.per_unit,
      cluster_id: columns.cluster_id[i]!,
      region_id: columns.region_id[i] ?? null,
      speaker: columns.speaker[i] ?? null,
      speaker_name: columns.speaker_name[i] ?? null,
    }
  })

/** Returns the edges that columns stand for. */
export const fromEdgeColumns = ({ a, b, similarity }: EdgeColumns): VizData["edges"] => {
  let from = 0
  return a.map((step, i) => {
    from += step
    return { a: from, b: from + b[i]!, similarity: similarity[i]! / SIMILARITY_STEPS }
  })
}
