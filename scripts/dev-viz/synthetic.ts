import type { MapLabel, MapRegion, TopicPoint, VizData } from "#lib/domain/map.ts"
import { randomFrom } from "#lib/map/layout/random.ts"

const THINGS = (
  "garden soil compost harvest greenhouse rocket engine orbit launch telemetry violin orchestra rehearsal melody tempo " +
  "database index replica migration latency budget forecast invoice margin audit nurse clinic vaccine trial dosage " +
  "bridge concrete girder survey permit kettle oven recipe flour yeast harbour sail anchor tide compass museum " +
  "archive curator exhibit loan pupil lesson exam timetable parent battery charger inverter grid panel"
).split(" ")
const WAYS = "plan review problem choice test delay result question history next-steps".split(" ")

const PEOPLE = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Radia", "Tony"] as const
const FIRST_DAY = Date.UTC(2025, 0, 6)
const DAY_MS = 86_400_000

const TOPICS_PER_CLIP = 24

type MapOptions = {
  /** The number of topics. */
  readonly points: number
  readonly seed: number
  /** The number of recordings; 0 for one per 24 topics. */
  readonly recordings: number
  readonly regions: number
  /** The distance between the topics of a subject; 1 for compact subjects. */
  readonly spread: number
}

/**
 * Generates a response of `/viz/data` with topics in nested regions. Each recording has topics in a few regions. The result
 * depends only on the options.
 */
export const syntheticMap = (options: MapOptions): VizData => {
  const { points: n, seed, recordings } = options
  const random = randomFrom(seed)
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const near = (at: readonly number[], spread: number) => at.map((v) => v + spread * gauss())
  const regions = Array.from({ length: Math.max(1, options.regions) }, () => near([0, 0, 0], 7))
  const clusters = Array.from({ length: Math.max(regions.length, Math.min(110, Math.round(n / 18))) }, (_, i) => ({
    region: i % regions.length,
    at: near(regions[i % regions.length]!, 1.9),
    spread: options.spread * (0.16 + 0.3 * random()),
    words: [THINGS[(i * 7 + 3) % THINGS.length]!, THINGS[(i * 13 + 5) % THINGS.length]!] as const,
  }))
  const clips = recordings || Math.max(1, Math.round(n / TOPICS_PER_CLIP))
  const topicsPerClip = recordings ? Math.max(1, n / recordings) : TOPICS_PER_CLIP
  const clipIds = Array.from({ length: clips }, (_, c) => `clip-${c}`)
  const titles = Object.fromEntries(
    clipIds.map((id, c) => [id, `Meeting ${c + 1}: ${clusters[(c * 5) % clusters.length]!.words.join(" and ")}`]),
  )
  const seenInClip = new Int32Array(clips)
  const points = Array.from({ length: n }, (_, i): TopicPoint => {
    const clip = Math.min(clips - 1, Math.floor(i / topicsPerClip))
    const nth = seenInClip[clip]!++
    const cluster = clusters[(clip * 5 + Math.floor(random() ** 2 * 9)) % clusters.length]!
    const level = nth === 0 ? 1 : nth % 4 === 1 ? 2 : 3
    const topic = Math.floor((nth + 3) / 4)
    const number = level === 1 ? "1" : level === 2 ? `1.${topic}` : `1.${topic}.${(nth + 2) % 4}`
    const [x, y, z] = near(cluster.at, level === 1 ? Math.max(1.2, cluster.spread) : cluster.spread) as [
      number,
      number,
      number,
    ]
    const [first, second] = random() < 0.5 ? cluster.words : [cluster.words[1], cluster.words[0]]
    const way = WAYS[Math.floor(random() * WAYS.length)]!
    return {
      topic_title:
        level === 1 ? titles[`clip-${clip}`]! : `${first[0]!.toUpperCase()}${first.slice(1)} ${second}: ${way}`,
      clip_id: `clip-${clip}`,
      clip_title: titles[`clip-${clip}`]!,
      level,
      start_s: nth * 95,
      duration_s: level === 1 ? 2400 : 40 + Math.floor(random() * 400),
      number,
      summary: `A discussion of ${first} and ${second} and the next steps.`,
      x,
      y,
      z,
      cluster_id: clusters.indexOf(cluster),
      region_id: cluster.region,
      ...assignSpeaker(clip, i),
    }
  })
  const labels = buildLabels(points, clusters, regions.length)
  return {
    points,
    clip_ids: clipIds,
    clip_titles: titles,
    clip_dates: Object.fromEntries(
      clipIds.map((id, c) => [id, new Date(FIRST_DAY + Math.floor(c ** 1.1) * DAY_MS).toISOString()]),
    ),
    total_topics: n,
    total_clips: clips,
    edges: buildEdges(points),
    total_clusters: clusters.length,
    distance_threshold: 0.35,
    regions: buildRegions(points, labels),
    labels,
    layout_version: 1,
    embed_model: "synthetic",
  }
}

/** Assigns one of three speakers: two named people who appear in many recordings, and an unnamed one. */
const assignSpeaker = (clip: number, i: number): Pick<TopicPoint, "speaker" | "speaker_name"> => {
  const speaker = (i * 7 + clip) % 3
  return {
    speaker: String(speaker),
    speaker_name: speaker === 2 ? null : PEOPLE[(clip * 3 + speaker * 2) % PEOPLE.length]!,
  }
}

/** Connects each topic to the previous two of the same level in other recordings of its cluster. */
const buildEdges = (points: readonly TopicPoint[]): VizData["edges"] => {
  const last = new Map<string, number[]>()
  return points.flatMap(({ cluster_id, level, clip_id }, b) => {
    if (level === 1) return []
    const key = `${cluster_id} ${level}`
    const before = last.get(key) ?? []
    const others = before.filter((a) => points[a]!.clip_id !== clip_id)
    last.set(key, [...others, b].slice(-2))
    return others.map((a) => ({ a, b, similarity: 0.32 + ((a * 7 + b) % 30) / 100 }))
  })
}

type Cluster = { readonly region: number; readonly words: readonly [string, string]; readonly spread: number }

/** Builds the regions that the labels of depth 0 name. */
const buildRegions = (points: readonly TopicPoint[], labels: readonly MapLabel[]): MapRegion[] =>
  labels
    .filter(({ depth }) => depth === 0)
    .map(({ region: id, text: name, point, radius }) => {
      const members = points.filter(({ region_id }) => region_id === id)
      const clips = new Set(members.map(({ clip_id }) => clip_id)).size
      return { id, name, point, size: members.length, clips, radius }
    })

/** Labels the first cluster of each region as the region, the next ones as its parts, and the rest in detail. */
const buildLabels = (points: readonly TopicPoint[], clusters: readonly Cluster[], regions: number): MapLabel[] => {
  const first = new Map<number, number>()
  const sizes = new Int32Array(clusters.length)
  points.forEach((p, i) => {
    sizes[p.cluster_id]!++
    if (p.level > 1 && !first.has(p.cluster_id)) first.set(p.cluster_id, i)
  })
  const name = (words: readonly string[]) => words.map((w, i) => (i ? w : w[0]!.toUpperCase() + w.slice(1))).join(", ")
  const label = (cluster: number, depth: number, text: string, radius: number): MapLabel[] => {
    const point = first.get(cluster)
    return point === undefined
      ? []
      : [{ text, depth, point, size: sizes[cluster]!, radius, region: clusters[cluster]!.region }]
  }
  return clusters.flatMap((cluster, i) => [
    ...(i < regions ? label(i, 0, name(cluster.words), 3.2) : []),
    ...(i >= regions && i < 5 * regions ? label(i, 1, name(cluster.words), 1.4) : []),
    ...(i >= 5 * regions ? label(i, 2, `${name(cluster.words)} in detail`, 0.8) : []),
  ])
}
