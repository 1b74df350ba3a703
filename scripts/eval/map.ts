import type { TopicPoint, VizData } from "../../lib/domain/map.ts"
import { getVizData } from "../../lib/services/map/map-data.ts"
import { searchViz } from "../../lib/services/map/map-search.ts"
import { query } from "../../lib/services/search/query.ts"
import { openLibrary } from "./library.ts"
import type { Recording } from "./recordings.ts"

/** Returns the subject of a recording. */
export type SubjectRule = (recording: Recording) => string

/**
 * Parses a rule for subjects: `field:NAME` takes a field of the recordings; otherwise it is a list of prefixes of IDs, the
 * last one for all other recordings, such as `covid,education,product`.
 */
export const parseSubjectRule = (rule: string): SubjectRule => {
  if (rule.startsWith("field:")) return (recording) => String(Reflect.get(recording, rule.slice("field:".length)))
  const prefixes = rule.split(",")
  return ({ id }) => prefixes.find((prefix) => id.startsWith(prefix)) ?? prefixes.at(-1)!
}

type Reference = { readonly clip: string; readonly from: number; readonly to: number; readonly title: string }

const TOP_K = 10

/** Loads the recordings into an empty installation and prints what its map, its search and its answers are worth. */
export const evaluateMap = async (
  recordings: readonly Recording[],
  subjectRule: SubjectRule,
  folder: string | undefined,
): Promise<void> => {
  const library = await openLibrary(recordings, folder)
  try {
    const { deps, clips } = library
    const { body } = await getVizData(deps, {})
    const subjectOf = (point: TopicPoint): string => subjectRule(clips.get(point.clip_id)!)
    const references = [...clips].flatMap(([clip, recording]) => listReferences(clip, recording))
    console.log(
      JSON.stringify({
        recordings: recordings.length,
        topics: body.points.length,
        main_topics: body.points.filter(({ level }) => level === 2).length,
        nearest: round(scoreNearest(body, subjectOf)),
        ...scoreEdges(body, subjectOf),
        ...scoreClusters(body, subjectOf),
      }),
    )
    for (const { name, size, clips: count } of body.regions)
      console.log(`${name} (${size} topics, ${count} recordings)`)
    const inMap = await scoreSearch(references, async (title) => {
      const found = await searchViz(deps, { q: title, top_k: TOP_K })
      return found.map(({ point_index }) => toSpan(body.points[point_index]!))
    })
    console.log(JSON.stringify({ queries: references.length, search: inMap }))
    const inSources = await scoreSearch(references, async (title) => {
      const request = { question: title, scope: "clips", top_k: TOP_K, stream: false } as const
      const { sources } = await query(deps, request, new AbortController().signal)
      return sources.map(({ chunk: { metadata } }) => ({
        clip: metadata.source,
        from: metadata.start_s ?? 0,
        to: metadata.end_s ?? 0,
      }))
    })
    console.log(JSON.stringify({ queries: references.length, query: inSources }))
  } finally {
    await library.close()
  }
}

const groupBy = <T, K>(list: readonly T[], keyOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
const round = (value: number): number => Number(value.toFixed(3))
const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length)
const toSpan = ({ clip_id, start_s, duration_s }: TopicPoint) => ({
  clip: clip_id,
  from: start_s,
  to: start_s + duration_s,
})

const listReferences = (clip: string, { utterances, l1, titles_l1 }: Recording): Reference[] => {
  if (titles_l1?.length !== l1.length + 1) return []
  const starts = [0, ...l1.map((u) => utterances[u]!.start)]
  const end = utterances.at(-1)!.end
  return starts.map((from, i) => ({ clip, from, to: starts[i + 1] ?? end, title: titles_l1[i]! }))
}

/**
 * Returns how often the nearest main topic of another recording has the same subject, as the mean over the subjects of more
 * than one recording.
 */
const scoreNearest = ({ points }: VizData, subjectOf: (point: TopicPoint) => string): number => {
  const main = points.filter(({ level }) => level === 2)
  const groups = [...groupBy(main, subjectOf).values()]
  const comparable = groups.filter((group) => new Set(group.map(({ clip_id }) => clip_id)).size > 1)
  return mean(
    comparable.map((group) =>
      mean(
        group.map((point) => {
          const others = main.filter(({ clip_id }) => clip_id !== point.clip_id)
          const distance = (p: TopicPoint) => (p.x - point.x) ** 2 + (p.y - point.y) ** 2 + (p.z - point.z) ** 2
          const nearest = others.reduce((best, other) => (distance(other) < distance(best) ? other : best))
          return subjectOf(nearest) === subjectOf(point) ? 1 : 0
        }),
      ),
    ),
  )
}

/** Counts the edges between main topics of different recordings, and how many connect topics of the same subject. */
const scoreEdges = ({ points, edges }: VizData, subjectOf: (point: TopicPoint) => string) => {
  const main = points.filter(({ level }) => level === 2).length
  const between = edges
    .map(({ a, b }) => [points[a]!, points[b]!] as const)
    .filter(([a, b]) => a.level === 2 && b.level === 2 && a.clip_id !== b.clip_id)
  const right = mean(between.map(([a, b]) => (subjectOf(a) === subjectOf(b) ? 1 : 0)))
  return { edges_per_topic: round(between.length / main), edges_right: round(right) }
}

/** Scores the default clusters of main topics. */
const scoreClusters = ({ points, distance_threshold }: VizData, subjectOf: (point: TopicPoint) => string) => {
  const main = points.filter(({ level }) => level === 2)
  const clusters = [...groupBy(main, ({ cluster_id }) => cluster_id).values()]
  const largestSubject = (cluster: readonly TopicPoint[]) =>
    Math.max(...[...groupBy(cluster, subjectOf).values()].map(({ length }) => length))
  const spans = clusters.filter((cluster) => new Set(cluster.map(({ clip_id }) => clip_id)).size > 1)
  const sum = (list: readonly number[]) => list.reduce((total, x) => total + x, 0)
  return {
    threshold: round(distance_threshold),
    clusters: new Set(points.map(({ cluster_id }) => cluster_id)).size,
    main_clusters: clusters.length,
    purity: round(sum(clusters.map(largestSubject)) / main.length),
    spanning: round(sum(spans.map(({ length }) => length)) / main.length),
  }
}

type Span = { readonly clip: string; readonly from: number; readonly to: number }

const isInside = (reference: Reference, { clip, from, to }: Span): boolean =>
  clip === reference.clip && Math.min(to, reference.to) - Math.max(from, reference.from) >= 0.5 * (to - from)

/** Searches for every human title. A hit lies in the right recording and mostly inside the titled passage. */
const scoreSearch = async (references: readonly Reference[], search: (title: string) => Promise<Span[]>) => {
  const ranks: number[] = []
  const times: number[] = []
  for (const reference of references) {
    const from = performance.now()
    const found = await search(reference.title)
    times.push(performance.now() - from)
    ranks.push(found.findIndex((span) => isInside(reference, span)))
  }
  times.sort((a, b) => a - b)
  return {
    found: round(mean(ranks.map((rank) => (rank < 0 ? 0 : 1)))),
    mrr: round(mean(ranks.map((rank) => (rank < 0 ? 0 : 1 / (rank + 1))))),
    p50_ms: round(times[Math.floor(times.length / 2)] ?? 0),
  }
}
