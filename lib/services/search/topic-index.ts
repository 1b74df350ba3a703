import { findSortedIndex } from "../../domain/partition-point.ts"
import { listContentWords } from "../../domain/text/content-words.ts"
import { countTerms, hashTerms, type TermCounts } from "../../domain/text/terms.ts"
import type { Speech } from "../../domain/topics/speech.ts"
import type { MapSnapshot, MapTopic } from "../../storage/stores/ports/map.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { TermCandidates } from "./term-candidates.ts"

/** The parameters of BM25 (Robertson et al. 1994): term saturation and length normalization. */
const K1 = 1.2
const B = 0.75
/** How often a word of the title and of the summary counts compared with a spoken word. */
const TITLE_WEIGHT = 3
const SUMMARY_WEIGHT = 1
/** The weight of a pair of words compared with a word. */
const PAIR_WEIGHT = 0.3
/** The share of its topic's score that a subtopic gets, because it is about the same subject. */
const PARENT_SHARE = 0.5
/** The number of content words of a question that are searched. */
const MAX_QUESTION_WORDS = 150

const NO_TERMS: TermCounts = { hashes: new Uint32Array(), counts: new Uint16Array() }

type Written = { readonly title: TermCounts; readonly summary: TermCounts }

/** Ranks the topics of all recordings by the words that are said in them, and by their titles and summaries. */
export class TopicIndex {
  private readonly clipTitles: ReadonlyMap<string, TermCounts>
  /** What each topic is found by, with weights. */
  private readonly fields: readonly (readonly { readonly terms: TermCounts; readonly weight: number }[])[]
  private readonly lengths: Float64Array
  private readonly meanLength: number
  private readonly topicsOfClip = new Map<string, number[]>()
  private readonly candidates: TermCandidates
  /** The position of the topic around each subtopic, and −1 for every other topic. */
  readonly parentOf: Int32Array
  /** The main topics of the chunks that were looked up so far, by row: positions in the snapshot, or −1. */
  readonly topicOfChunk = new Map<number, number>()

  constructor(
    readonly snapshot: MapSnapshot,
    readonly speech: ReadonlyMap<string, Speech>,
    private readonly written: ReadonlyMap<string, Written>,
  ) {
    const { topics } = snapshot
    this.clipTitles = new Map(snapshot.clips.map((clip) => [clip.id, countTerms([clip.title])]))
    this.fields = topics.map((topic) => this.termsOf(topic))
    this.lengths = Float64Array.from(this.fields, (fields) =>
      fields.reduce((sum, { terms, weight }) => sum + weight * sumCounts(terms), 0),
    )
    this.candidates = new TermCandidates(this.fields.map((fields) => fields.map(({ terms }) => terms.hashes)))
    this.parentOf = findParents(topics)
    this.meanLength = this.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, topics.length)
    topics.forEach((topic, i) => {
      const own = this.topicsOfClip.get(topic.clip_id)
      if (own) own.push(i)
      else this.topicsOfClip.set(topic.clip_id, [i])
    })
  }

  /** Returns the BM25 score of each topic, in the order of the snapshot; 0 without a common word. */
  score(question: string): Float64Array {
    const { topics } = this.snapshot
    const scores = new Float64Array(topics.length)
    for (const { hash, weight } of listQueryTerms(question)) this.addTermScores(hash, weight, scores)
    return scores.map((score, i) => {
      const parent = this.parentOf[i]!
      return parent < 0 ? score : score + PARENT_SHARE * scores[parent]!
    })
  }

  private addTermScores(hash: number, weight: number, scores: Float64Array): void {
    const frequencies = new Map<number, number>()
    for (const i of this.candidates.list(hash)) {
      const frequency = this.fields[i]!.reduce((sum, { terms, weight }) => sum + weight * getCount(terms, hash), 0)
      if (frequency > 0) frequencies.set(i, frequency)
    }
    const idf = Math.log(1 + (scores.length - frequencies.size + 0.5) / (frequencies.size + 0.5))
    for (const [i, frequency] of frequencies) {
      const norm = K1 * (1 - B + (B * this.lengths[i]!) / this.meanLength)
      scores[i]! += (weight * idf * frequency * (K1 + 1)) / (frequency + norm)
    }
  }

  /** A whole recording is found by its titles and summary, and not by every word that is said in it. */
  private termsOf(topic: MapTopic): { readonly terms: TermCounts; readonly weight: number }[] {
    const { title, summary } = this.written.get(topic.hash)!
    const main = topic.level === 1 ? this.clipTitles.get(topic.clip_id) : this.speech.get(topic.speechHash)?.terms
    return [
      { terms: main ?? NO_TERMS, weight: topic.level === 1 ? TITLE_WEIGHT : 1 },
      { terms: title, weight: TITLE_WEIGHT },
      { terms: summary, weight: SUMMARY_WEIGHT },
    ]
  }

  /** Returns the terms of a title and summary, by their hash. */
  getWritten(hash: string): Written | undefined {
    return this.written.get(hash)
  }

  /** Returns the index of the topic of level 2 at a time of a clip, or −1. */
  findMainTopic(clipId: string, time_s: number): number {
    const { topics } = this.snapshot
    return (
      this.topicsOfClip.get(clipId)?.find((i) => {
        const { level, start_s, duration_s } = topics[i]!
        return level === 2 && start_s <= time_s && time_s < start_s + duration_s
      }) ?? -1
    )
  }
}

const findParents = (topics: readonly MapTopic[]): Int32Array => {
  let parent = -1
  return Int32Array.from(topics, ({ level }, i) => {
    if (level === 2) parent = i
    return level === 3 ? parent : -1
  })
}

const sumCounts = ({ counts }: TermCounts): number => counts.reduce((sum, count) => sum + count, 0)

const getCount = ({ hashes, counts }: TermCounts, hash: number): number => counts[findSortedIndex(hashes, hash)] ?? 0

/** Returns the distinct words of a question, and its pairs of words with a lower weight. */
const listQueryTerms = (question: string): { readonly hash: number; readonly weight: number }[] => {
  const { words, pairs } = hashTerms(listContentWords([{ text: question, turn: 0 }]).slice(0, MAX_QUESTION_WORDS))
  const weights = new Map<number, number>()
  for (const hash of pairs) if (hash !== null) weights.set(hash, PAIR_WEIGHT)
  for (const hash of words) weights.set(hash, 1)
  return [...weights].map(([hash, weight]) => ({ hash, weight }))
}

type Loaded = { readonly revision: number; readonly index: Promise<TopicIndex> }
/** Global, because the web bundle may contain several copies of this module. */
const INDEXES = Symbol.for("earmark.topicIndexes")
type Shared = { [INDEXES]?: WeakMap<object, Loaded> }

/** Returns the index of the current topics of a store. Loads only what has changed since the last call. */
export const loadTopicIndex = async (store: Pick<Store, "map">): Promise<TopicIndex> => {
  const shared = globalThis as Shared
  shared[INDEXES] ??= new WeakMap()
  const loaded = shared[INDEXES]
  const revision = await store.map.getRevision()
  const known = loaded.get(store)
  if (known && known.revision >= revision) return known.index
  const index = buildIndex(store, await known?.index.catch(() => undefined))
  loaded.set(store, { revision, index })
  index.catch(() => loaded.delete(store))
  return index
}

const buildIndex = async ({ map }: Pick<Store, "map">, previous: TopicIndex | undefined): Promise<TopicIndex> => {
  const snapshot = await map.getSnapshot()
  const hashes = [...new Set(snapshot.topics.map((topic) => topic.speechHash))]
  const speech = await map.getSpeech(hashes.filter((hash) => !previous?.speech.has(hash)))
  for (const hash of hashes) {
    const known = previous?.speech.get(hash)
    if (known) speech.set(hash, known)
  }
  const written = new Map<string, Written>()
  for (const { hash, title, summary } of snapshot.topics)
    if (!written.has(hash))
      written.set(hash, previous?.getWritten(hash) ?? { title: countTerms([title]), summary: countTerms([summary]) })
  return new TopicIndex(snapshot, speech, written)
}
