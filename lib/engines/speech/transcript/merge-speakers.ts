import type { SpeakerTurn } from "../types.ts"

/** A speaker of one part of a recording, with their turns in seconds of the recording. */
export type PartSpeaker = {
  /** The index of the part. The diarizer has already separated the speakers of one part. */
  readonly part: number
  readonly turns: readonly Omit<SpeakerTurn, "speaker">[]
  /** The speaker embedding; null if there was too little speech. */
  readonly embedding: Float32Array | null
}

/** Speakers of different parts with a smaller cosine distance are the same person. */
const MAX_SAME_SPEAKER_DISTANCE = 0.5
/** A speaker with a smaller share of all speech is an error of the diarizer. */
const MIN_SHARE = 0.02

type Cluster = { members: PartSpeaker[]; parts: Set<number>; sum: Float64Array | null; seconds: number }

const speakingSeconds = ({ turns }: PartSpeaker): number => turns.reduce((sum, t) => sum + t.end - t.start, 0)

const normalize = (v: ArrayLike<number>): Float64Array => {
  const out = Float64Array.from(v)
  const norm = Math.hypot(...out)
  return norm > 0 ? out.map((x) => x / norm) : out
}

const cosineDistance = (a: Cluster, b: Cluster): number => {
  if (!a.sum || !b.sum || a.sum.length !== b.sum.length) return Number.POSITIVE_INFINITY
  const [x, y] = [normalize(a.sum), normalize(b.sum)]
  return 1 - x.reduce((dot, value, i) => dot + value * y[i]!, 0)
}

const createCluster = (speaker: PartSpeaker): Cluster => {
  const seconds = speakingSeconds(speaker)
  return {
    members: [speaker],
    parts: new Set([speaker.part]),
    sum: speaker.embedding && normalize(speaker.embedding).map((x) => x * seconds),
    seconds,
  }
}

const mergeInto = (into: Cluster, from: Cluster): void => {
  into.members.push(...from.members)
  for (const part of from.parts) into.parts.add(part)
  into.sum = into.sum && from.sum ? into.sum.map((x, i) => x + from.sum![i]!) : (into.sum ?? from.sum)
  into.seconds += from.seconds
}

/** Returns the two nearest clusters. `keepPartsSeparate` excludes clusters that share a part. */
const nearestPair = (
  clusters: readonly Cluster[],
  keepPartsSeparate: boolean,
): { a: Cluster; b: Cluster; distance: number } | null => {
  let best: { a: Cluster; b: Cluster; distance: number } | null = null
  for (const [i, a] of clusters.entries())
    for (const b of clusters.slice(i + 1)) {
      if (keepPartsSeparate && [...a.parts].some((part) => b.parts.has(part))) continue
      const distance = cosineDistance(a, b)
      if (!best || distance < best.distance) best = { a, b, distance }
    }
  return best
}

/**
 * Merges the speakers of the parts of a recording into persons. It joins the nearest embeddings first (centroids weighted
 * by seconds), keeps the speakers of one part separate, and merges a speaker with less than 2 % of all speech into the
 * nearest one. If `speakers` is given, it joins until that number is left, regardless of distance.
 * @returns turns sorted by start, with arbitrary speaker numbers
 */
export const mergeSpeakersAcrossParts = (
  partSpeakers: readonly PartSpeaker[],
  speakers: number | undefined,
): SpeakerTurn[] => {
  let clusters = partSpeakers.filter((speaker) => speakingSeconds(speaker) > 0).map(createCluster)
  const join = (pair: { a: Cluster; b: Cluster }): void => {
    mergeInto(pair.a, pair.b)
    clusters = clusters.filter((cluster) => cluster !== pair.b)
  }
  for (;;) {
    const pair = nearestPair(clusters, true)
    if (!pair || pair.distance > MAX_SAME_SPEAKER_DISTANCE) break
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
      mergeInto(
        large.reduce((best, c) => (cosineDistance(c, cluster) < cosineDistance(best, cluster) ? c : best)),
        cluster,
      )
    clusters = large
  }
  return clusters
    .flatMap((cluster, speaker) => cluster.members.flatMap(({ turns }) => turns.map((t) => ({ ...t, speaker }))))
    .sort((a, b) => a.start - b.start)
}
