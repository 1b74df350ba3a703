import { createHash } from "node:crypto"
import { AppError } from "../../domain/errors.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { LinkRules, PointSet } from "../../map/types.ts"
import type { MapSnapshot } from "../../storage/stores/ports/map.ts"
import { loadTopicIndex, type TopicIndex } from "../search/topic-index.ts"
import { loadTopicVectors, type TopicVectorDeps } from "./topic-vectors.ts"
import type { TopicVectors } from "./vectors.ts"

/** The topics of the map with their vectors. Points are in the order of the snapshot. */
export type MapContent = {
  readonly index: TopicIndex
  readonly snapshot: MapSnapshot
  readonly model: string
  readonly vectors: TopicVectors
  /** Row → key of its vector. */
  readonly hashes: readonly string[]
  readonly points: PointSet
  readonly links: LinkRules
  /** Identifies the vectors and their order. Anything computed from these can be cached by it. */
  readonly key: string
}

/**
 * Loads the topics of the map and their vectors. Computes and stores missing vectors.
 * @param previous content whose vectors are reused
 * @throws AppError `unavailable` if a vector is missing and the embedding model is unreachable
 */
export const loadMapContent = async (
  deps: TopicVectorDeps,
  embedder: Embedder,
  previous: MapContent | null,
): Promise<MapContent> => {
  const index = await loadTopicIndex(deps.store)
  const { snapshot } = index
  const model = embedder.name
  const vectors = await loadTopicVectors(deps, embedder, index, previous?.vectors ?? null)
  const key = computeKey(vectors, snapshot)
  if (previous?.key === key) return { ...previous, index, snapshot, vectors }
  const hashes = [...new Set(vectors.keys)]
  const rowByHash = new Map(hashes.map((hash, row) => [hash, row]))
  const rowOf = Int32Array.from(vectors.keys, (hash) => rowByHash.get(hash)!)
  const points = { ...buildMatrix(hashes, vectors), rowOf }
  return { index, snapshot, model, vectors, hashes, key, points, links: createLinkRules(snapshot) }
}

const computeKey = ({ model, keys, space }: TopicVectors, snapshot: MapSnapshot): string => {
  const hash = createHash("sha256")
    .update(model)
    .update("\n")
    .update(space?.key ?? "")
  snapshot.topics.forEach((topic, i) => {
    hash.update(`\n${topic.clip_id} ${topic.level} ${keys[i]}`)
  })
  return hash.digest("base64url")
}

/** Topics are linked across recordings. In a map of one recording, subtopics are linked across its topics. */
const createLinkRules = ({ clips, topics }: MapSnapshot): LinkRules => {
  const groups = new Map<string, number>()
  let topic = ""
  const groupOf = Int32Array.from(topics, ({ clip_id, level, number }) => {
    if (level === 2) topic = number
    const name = clips.length > 1 ? clip_id : topic
    if (!groups.has(name)) groups.set(name, groups.size)
    return groups.get(name)!
  })
  return { levelOf: Uint8Array.from(topics, ({ level }) => level), groupOf }
}

/** Builds one flat matrix in shared memory, so that the map thread reads it without a copy. */
const buildMatrix = (hashes: readonly string[], { model, vectors }: TopicVectors) => {
  const rows = hashes.length
  const dims = rows === 0 ? 0 : vectors.get(hashes[0]!)!.length
  const matrix = new Float32Array(new SharedArrayBuffer(rows * dims * Float32Array.BYTES_PER_ELEMENT))
  hashes.forEach((hash, row) => {
    const vector = vectors.get(hash)!
    if (vector.length !== dims)
      throw new AppError(
        "internal",
        `Couldn't build the map: the vectors of ${model} have both ${dims} and ${vector.length} dimensions, because the name now refers to another model. Set SERVICE_EMBED_MODEL to a name with a tag.`,
      )
    matrix.set(vector, row * dims)
  })
  return { vectors: matrix, rows, dims }
}
