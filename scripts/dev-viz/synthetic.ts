import type { MapLabel, TopicPoint, VizData } from "#lib/domain/map.ts"
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

/** Topics of a recording, on the average. */
const PER_CLIP = 24

/**
 * A map of n topics as the service would answer it: lands within lands, recordings that wander through a few of them.
 * Equal for equal numbers.
 */
export const syntheticMap = (n: number, seed = 1): VizData => {
  const random = randomFrom(seed)
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const near = (at: readonly number[], spread: number) => at.map((v) => v + spread * gauss())
  const lands = Array.from({ length: 7 }, () => near([0, 0, 0], 7))
  const parts = Array.from({ length: Math.max(7, Math.min(110, Math.round(n / 18))) }, (_, i) => ({
    land: i % 7,
    at: near(lands[i % 7]!, 1.9),
    spread: 0.16 + 0.3 * random(),
    words: [THINGS[(i * 7 + 3) % THINGS.length]!, THINGS[(i * 13 + 5) % THINGS.length]!] as const,
  }))
  const clips = Math.max(1, Math.round(n / PER_CLIP))
  const clipIds = Array.from({ length: clips }, (_, c) => `clip-${c}`)
  const titles = Object.fromEntries(
    clipIds.map((id, c) => [id, `Meeting ${c + 1}: ${parts[(c * 5) % parts.length]!.words.join(" and ")}`]),
  )
  const seenInClip = new Int32Array(clips)
  const points = Array.from({ length: n }, (_, i): TopicPoint => {
    const clip = Math.min(clips - 1, Math.floor(i / PER_CLIP))
    const nth = seenInClip[clip]!++
    const part = parts[(clip * 5 + Math.floor(random() ** 2 * 9)) % parts.length]!
    const level = nth === 0 ? 1 : nth % 4 === 1 ? 2 : 3
    const topic = Math.floor((nth + 3) / 4)
    const number = level === 1 ? "1" : level === 2 ? `1.${topic}` : `1.${topic}.${(nth + 2) % 4}`
    const [x, y, z] = near(part.at, level === 1 ? 1.2 : part.spread) as [number, number, number]
    const [first, second] = random() < 0.5 ? part.words : [part.words[1], part.words[0]]
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
      summary: `What was said about ${first} and ${second}, and what is to become of it.`,
      x,
      y,
      z,
      cluster_id: parts.indexOf(part),
      ...voiceOf(clip, i),
    }
  })
  return {
    points,
    clip_ids: clipIds,
    clip_titles: titles,
    clip_dates: Object.fromEntries(
      clipIds.map((id, c) => [id, new Date(FIRST_DAY + Math.floor(c ** 1.1) * DAY_MS).toISOString()]),
    ),
    total_topics: n,
    total_clips: clips,
    edges: edgesOf(points),
    total_clusters: parts.length,
    labels: labelsOf(points, parts),
    layout_version: 1,
    embed_model: "synthetic",
  }
}

/** Three voices a recording: two of a few people who are in many of them, and one that nobody named. */
const voiceOf = (clip: number, i: number): Pick<TopicPoint, "speaker" | "speaker_name"> => {
  const voice = (i * 7 + clip) % 3
  return { speaker: String(voice), speaker_name: voice === 2 ? null : PEOPLE[(clip * 3 + voice * 2) % PEOPLE.length]! }
}

/** Each topic with the two before it in its part. */
const edgesOf = (points: readonly TopicPoint[]): VizData["edges"] => {
  const last = new Map<number, number[]>()
  return points.flatMap(({ cluster_id }, b) => {
    const before = last.get(cluster_id) ?? []
    last.set(cluster_id, [...before, b].slice(-2))
    return before.map((a) => ({ a, b, similarity: 0.62 + ((a * 7 + b) % 30) / 100 }))
  })
}

type Part = { readonly land: number; readonly words: readonly [string, string]; readonly spread: number }

const labelsOf = (points: readonly TopicPoint[], parts: readonly Part[]): MapLabel[] => {
  const first = new Map<number, number>()
  const sizes = new Int32Array(parts.length)
  points.forEach((p, i) => {
    sizes[p.cluster_id]!++
    if (p.level > 1 && !first.has(p.cluster_id)) first.set(p.cluster_id, i)
  })
  const name = (words: readonly string[]) => words.map((w, i) => (i ? w : w[0]!.toUpperCase() + w.slice(1))).join(" · ")
  const label = (part: number, depth: number, text: string, radius: number): MapLabel[] => {
    const point = first.get(part)
    return point === undefined ? [] : [{ text, depth, point, size: sizes[part]!, radius }]
  }
  return parts.flatMap((part, i) => [
    ...(i < 7 ? label(i, 0, name(part.words), 3.2) : []),
    ...(i >= 7 && i < 35 ? label(i, 1, name(part.words), 1.4) : []),
    ...(i >= 35 ? label(i, 2, `${name(part.words)} in detail`, 0.8) : []),
  ])
}
