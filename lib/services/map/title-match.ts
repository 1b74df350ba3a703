import type { MapSnapshot } from "../../storage/stores/ports/map.ts"
import { stemsOf } from "../../storage/stores/search/stems.ts"

/** What a full match of a topic's own title counts, and one that needs its recording's title too: a cosine of 1 is above both. */
const OWN = 0.95
const RECORDING = 0.9
/** With less of the question in the titles, its meaning alone decides. */
const ENOUGH = 0.5

type Titles = {
  readonly own: readonly ReadonlySet<string>[]
  readonly recording: ReadonlyMap<string, ReadonlySet<string>>
  readonly weightOf: (stem: string) => number
}
const known = new WeakMap<MapSnapshot["topics"], Titles>()

/** Stems of all titles, and how telling each is: its inverse document frequency over topics (Spärck Jones, 1972). */
const titlesOf = ({ topics, clips }: Pick<MapSnapshot, "topics" | "clips">): Titles => {
  const before = known.get(topics)
  if (before) return before
  const own = topics.map((topic) => new Set(stemsOf(topic.title)))
  const recording = new Map(clips.map((clip) => [clip.id, new Set(stemsOf(clip.title))]))
  const counts = new Map<string, number>()
  for (const [i, topic] of topics.entries())
    for (const stem of new Set([...own[i]!, ...(recording.get(topic.clip_id) ?? [])]))
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const weightOf = (stem: string) => Math.log(1 + topics.length / (counts.get(stem) ?? 0.5))
  const titles = { own, recording, weightOf }
  known.set(topics, titles)
  return titles
}

/**
 * How far the words of a question stand in the title of each topic, or in that and its recording's together: 0 to 0.95, by
 * the weight of the words found. Zero where less than half of it is found. One number a topic, in the snapshot's order.
 */
export const titleMatch = (snapshot: Pick<MapSnapshot, "topics" | "clips">, question: string): Float64Array => {
  const { own, recording, weightOf } = titlesOf(snapshot)
  const wanted = [...new Set(stemsOf(question))].map((stem) => ({ stem, weight: weightOf(stem) }))
  const total = wanted.reduce((sum, { weight }) => sum + weight, 0)
  const share = (isThere: (stem: string) => boolean): number => {
    const found = wanted.reduce((sum, { stem, weight }) => (isThere(stem) ? sum + weight : sum), 0)
    return total > 0 && found / total >= ENOUGH ? found / total : 0
  }
  return Float64Array.from(snapshot.topics, (topic, i) => {
    const around = recording.get(topic.clip_id)
    const inOwn = share((stem) => own[i]!.has(stem))
    return Math.max(OWN * inOwn, RECORDING * share((stem) => own[i]!.has(stem) || around?.has(stem) === true))
  })
}
