import { sha256 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { VizCompute } from "../../map/types.ts"
import type { MapSnapshot } from "../../storage/stores/ports/map.ts"
import type { TopicIndex } from "../search/topic-index.ts"
import { type ClipVectorDeps, loadModelVectors } from "./model-vectors.ts"
import { type TopicVectors, toUnit } from "./vectors.ts"

export type TopicVectorDeps = ClipVectorDeps & { readonly viz: Pick<VizCompute, "embedTerms"> }

/**
 * A subtopic is short, so its vector includes this share of its topic's. Measured on 35 meetings: the nearest topic of
 * another recording has the same subject more often with it, and shares from 0.3 to 0.7 do not differ.
 */
const PARENT_SHARE = 0.5
/** The maximum number of topics from which the frequencies and dimensions of a term space are derived. */
const MAX_SPACE_DOCUMENTS = 1200

/**
 * Loads the vectors of all topics of the map. A topic stands for what is said in it. With a lexical embedder, its vector
 * is its position in a space of the terms of the library. With a model, it is the mean vector of its chunks together with that
 * of title and summary.
 * @param previous vectors that are reused instead of read or computed
 * @throws AppError `unavailable` if a vector is missing and the embedding model is unreachable
 */
export const loadTopicVectors = async (
  deps: TopicVectorDeps,
  embedder: Embedder,
  index: TopicIndex,
  previous: TopicVectors | null,
): Promise<TopicVectors> => {
  const reusable = previous?.model === embedder.name ? previous : null
  return embedder.isLexical
    ? placeInTermSpace(deps.viz, embedder.name, index, reusable)
    : loadModelVectors(deps, embedder, index.snapshot, reusable)
}

const NO_TERMS = { hashes: new Uint32Array(), counts: new Uint16Array() }

const placeInTermSpace = async (
  viz: TopicVectorDeps["viz"],
  model: string,
  { snapshot, speech, parentOf }: TopicIndex,
  previous: TopicVectors | null,
): Promise<TopicVectors> => {
  const { topics } = snapshot
  const keys = topics.map((topic) => topic.speechHash)
  const termsOf = (hash: string) => speech.get(hash)?.terms ?? NO_TERMS
  const documents = chooseSpaceDocuments(snapshot)
  const spaceKey = sha256(documents.join())
  const isSameSpace = previous?.space?.key === spaceKey
  const known = isSameSpace ? previous.vectors : new Map<string, Float32Array>()
  const missing = new Map<string, string | null>()
  keys.forEach((key, i) => {
    const parent = parentOf[i]!
    if (!known.has(key) && !missing.has(key)) missing.set(key, parent < 0 ? null : keys[parent]!)
  })
  const hashes = [...new Set([...missing].flat().filter((hash) => hash !== null))]
  const { space, positions } = await viz.embedTerms(spaceKey, {
    space: isSameSpace ? previous.space!.terms : null,
    documents: isSameSpace ? [] : documents.map(termsOf),
    texts: hashes.map(termsOf),
  })
  const { dims } = space
  const positionOf = new Map(hashes.map((hash, i) => [hash, positions.subarray(i * dims, (i + 1) * dims)]))
  const vectors = new Map<string, Float32Array>()
  for (const key of keys) {
    const vector = known.get(key)
    if (vector) vectors.set(key, vector)
  }
  for (const [key, parent] of missing) {
    const own = positionOf.get(key)!
    vectors.set(key, parent === null ? toUnit(own) : toUnit(addShare(toUnit(own), toUnit(positionOf.get(parent)!))))
  }
  return { model, keys, vectors, space: { key: spaceKey, terms: space } }
}

/**
 * Returns the hashes of the topics from which the term space is derived: topics and subtopics of the oldest recordings.
 * Their number grows in steps, so that a space stays valid while little is added to a large library.
 */
const chooseSpaceDocuments = ({ clips, topics }: MapSnapshot): string[] => {
  const below = topics.filter((topic) => topic.level > 1)
  const all = below.length > 0 ? below : topics
  if (all.length <= MAX_SPACE_DOCUMENTS) return [...new Set(all.map((topic) => topic.speechHash))].sort()
  const steps = Math.floor(2 * Math.log2(clips.length))
  const oldest = new Set(clips.slice(0, Math.floor(2 ** (steps / 2))).map((clip) => clip.id))
  const chosen = all.filter((topic) => oldest.has(topic.clip_id))
  const stride = Math.ceil(chosen.length / MAX_SPACE_DOCUMENTS)
  return [...new Set(chosen.filter((_, i) => i % stride === 0).map((topic) => topic.speechHash))].sort()
}

const addShare = (own: Float32Array, parent: Float32Array): Float32Array =>
  own.map((x, d) => x + PARENT_SHARE * parent[d]!)
