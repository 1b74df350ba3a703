import type { SpeakerTurn } from "../types.ts"

/** A voice within one part of a recording: its turns there, in seconds of the recording, and what it sounds like. */
export type LocalSpeaker = {
  /** Which part; voices of one part were told apart by the diarizer itself. */
  readonly part: number
  readonly turns: readonly Omit<SpeakerTurn, "speaker">[]
  /** The voice's print, of any length; null when too little was heard of it. */
  readonly print: Float32Array | null
}

/** Voices of different parts whose prints are nearer than this (1 - cosine) are one person. */
const SAME = 0.5
/** A voice with a smaller share of all speech is noise of the clustering, not a person. */
const MIN_SHARE = 0.02

type Cluster = { members: LocalSpeaker[]; parts: Set<number>; sum: Float64Array | null; seconds: number }

const secondsOf = ({ turns }: LocalSpeaker): number => turns.reduce((sum, t) => sum + t.end - t.start, 0)

const unit = (v: ArrayLike<number>): Float64Array => {
  const out = Float64Array.from(v)
  const norm = Math.hypot(...out)
  return norm > 0 ? out.map((x) => x / norm) : out
}

const distance = (a: Cluster, b: Cluster): number => {
  if (!a.sum || !b.sum || a.sum.length !== b.sum.length) return Number.POSITIVE_INFINITY
  const [x, y] = [unit(a.sum), unit(b.sum)]
  return 1 - x.reduce((dot, value, i) => dot + value * y[i]!, 0)
}

const clusterOf = (voice: LocalSpeaker): Cluster => {
  const seconds = secondsOf(voice)
  return {
    members: [voice],
    parts: new Set([voice.part]),
    sum: voice.print && unit(voice.print).map((x) => x * seconds),
    seconds,
  }
}

const merge = (into: Cluster, from: Cluster): void => {
  into.members.push(...from.members)
  for (const part of from.parts) into.parts.add(part)
  into.sum = into.sum && from.sum ? into.sum.map((x, i) => x + from.sum![i]!) : (into.sum ?? from.sum)
  into.seconds += from.seconds
}

/** The two clusters that are nearest to each other and may be one. */
const nearestPair = (clusters: readonly Cluster[], apart: boolean): { a: Cluster; b: Cluster; far: number } | null => {
  let best: { a: Cluster; b: Cluster; far: number } | null = null
  for (const [i, a] of clusters.entries())
    for (const b of clusters.slice(i + 1)) {
      if (apart && [...a.parts].some((part) => b.parts.has(part))) continue
      const far = distance(a, b)
      if (!best || far < best.far) best = { a, b, far }
    }
  return best
}

/**
 * Makes persons of the voices of a recording that was heard in parts: the nearest prints are joined first (centroids
 * weighted by seconds), voices of one part stay apart, and a voice with less than 2 % of all speech goes to the
 * nearest other. With `speakers` known, voices are joined until there are so many, whatever their distance.
 * @returns turns by their start; the numbers of speakers have no meaning but to tell them apart
 */
export const mergeSpeakersAcrossParts = (
  voices: readonly LocalSpeaker[],
  speakers: number | undefined,
): SpeakerTurn[] => {
  let clusters = voices.filter((voice) => secondsOf(voice) > 0).map(clusterOf)
  const join = (pair: { a: Cluster; b: Cluster }): void => {
    merge(pair.a, pair.b)
    clusters = clusters.filter((cluster) => cluster !== pair.b)
  }
  for (;;) {
    const pair = nearestPair(clusters, true)
    if (!pair || pair.far > SAME) break
    join(pair)
  }
  for (let pair = nearestPair(clusters, false); speakers !== undefined && clusters.length > speakers && pair; ) {
    join(pair)
    pair = nearestPair(clusters, false)
  }
  if (speakers === undefined) {
    const all = clusters.reduce((sum, c) => sum + c.seconds, 0)
    const [small, large] = [
      clusters.filter((c) => c.seconds < MIN_SHARE * all),
      clusters.filter((c) => c.seconds >= MIN_SHARE * all),
    ]
    for (const cluster of small)
      merge(
        large.reduce((best, c) => (distance(c, cluster) < distance(best, cluster) ? c : best)),
        cluster,
      )
    clusters = large
  }
  return clusters
    .flatMap((cluster, speaker) => cluster.members.flatMap(({ turns }) => turns.map((t) => ({ ...t, speaker }))))
    .sort((a, b) => a.start - b.start)
}
