import { getInformation } from "../../domain/text/information.ts"
import type { TopicIndex } from "../search/topic-index.ts"

/** A phrase must be said in this many topics of a region. Otherwise the name could be about one of them only. */
const MIN_TOPICS = 2
/** A longer phrase replaces a shorter one that it contains if this share of the topics says it. */
const EXTENSION_SHARE = 0.4
/** A second phrase is added if it has this share of the first one's score, and the name does not become too long. */
const SECOND_SHARE = 0.35
const MAX_WORDS = 4

/** How many topics say a phrase, and the forms in which they do. */
type Usage = { topics: number; readonly forms: Map<string, number> }
type Candidate = {
  readonly key: string
  readonly stems: readonly string[]
  readonly score: number
  readonly topics: number
}

export type RegionName = {
  readonly name: string
  /** The phrases in the name. Empty if a title is the name. */
  readonly phrases: readonly string[]
  /** The stems of the phrases. */
  readonly stems: ReadonlySet<string>
}

/**
 * Names regions after the phrases that are said in many of their topics and in few others: the number of topics times the
 * log-odds ratio against the rest (a class-based tf-idf, Grootendorst 2022) and the information of their words. All names
 * differ.
 */
export class RegionNamer {
  private readonly usage: ReadonlyMap<string, Usage>
  private readonly used = new Set<string>()
  /** The first phrases of the names so far. No two names begin with the same phrase. */
  private readonly heads = new Set<string>()
  private readonly total: number

  constructor(private readonly index: TopicIndex) {
    const points = index.snapshot.topics.map((_, i) => i)
    this.total = this.selectTopics(points).length
    this.usage = this.countPhrases(points)
  }

  /**
   * Returns the name of a region.
   * @param avoid stems of the name of the region around it
   */
  name(points: readonly number[], avoid: ReadonlySet<string> = new Set()): RegionName {
    const usage = this.countPhrases(points)
    const candidates = this.rank(usage, this.selectTopics(points).length).filter(
      ({ stems }) => !stems.some((stem) => avoid.has(stem)),
    )
    for (const candidate of candidates.filter(({ key }) => !this.heads.has(key))) {
      const first = extend(candidate, candidates)
      const second = candidates.find(
        (other) =>
          other.score >= SECOND_SHARE * first.score &&
          first.stems.length + other.stems.length <= MAX_WORDS &&
          !other.stems.some((stem) => first.stems.includes(stem)),
      )
      for (const chosen of second ? [[first, second], [first]] : [[first]]) {
        const phrases = chosen.map(({ key }) => mostFrequent(usage.get(key)!.forms))
        const name = capitalize(phrases.join(", "))
        if (this.used.has(name.toLowerCase())) continue
        this.used.add(name.toLowerCase())
        this.heads.add(candidate.key).add(first.key)
        return { name, phrases, stems: new Set(chosen.flatMap(({ stems }) => stems)) }
      }
    }
    return this.nameByTitle(points)
  }

  /** Names a region in which no two topics share a phrase after its longest topic. */
  private nameByTitle(points: readonly number[]): RegionName {
    const { topics } = this.index.snapshot
    const titles = [...points]
      .sort((a, b) => topics[b]!.duration_s - topics[a]!.duration_s)
      .map((p) => topics[p]!.title)
    const free =
      titles.find((title) => title !== "" && !this.used.has(title.toLowerCase())) ?? `Region ${this.used.size + 1}`
    this.used.add(free.toLowerCase())
    return { name: free, phrases: [], stems: new Set() }
  }

  private selectTopics(points: readonly number[]): number[] {
    return points.filter((point) => this.index.snapshot.topics[point]!.level > 1)
  }

  private countPhrases(points: readonly number[]): Map<string, Usage> {
    const usage = new Map<string, Usage>()
    for (const point of this.selectTopics(points)) {
      const { speechHash } = this.index.snapshot.topics[point]!
      for (const { key, form, count } of this.index.speech.get(speechHash)?.phrases ?? []) {
        const entry = usage.get(key) ?? { topics: 0, forms: new Map() }
        entry.topics++
        entry.forms.set(form, (entry.forms.get(form) ?? 0) + count)
        usage.set(key, entry)
      }
    }
    return usage
  }

  /** Returns the phrases of a region of `size` topics that are more frequent there than elsewhere, best first. */
  private rank(usage: ReadonlyMap<string, Usage>, size: number): Candidate[] {
    const rest = this.total - size
    return [...usage]
      .filter(([, { topics }]) => topics >= MIN_TOPICS)
      .map(([key, { topics }]): Candidate => {
        const elsewhere = this.usage.get(key)!.topics - topics
        const stems = key.split(" ")
        const contrast = logOdds(topics, size) - logOdds(elsewhere, rest)
        const information = stems.reduce((sum, stem) => sum + getInformation(stem), 0) / stems.length
        const score = topics * contrast * information * Math.sqrt(stems.length)
        return { key, stems, score, topics }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  }
}

const logOdds = (count: number, total: number): number => Math.log((count + 0.5) / (Math.max(0, total - count) + 0.5))

/** Returns the best longer phrase that contains a phrase, if many of its topics say it; else the phrase itself. */
const extend = (phrase: Candidate, candidates: readonly Candidate[]): Candidate =>
  candidates.find(
    ({ key, stems, topics }) =>
      stems.length > phrase.stems.length &&
      ` ${key} `.includes(` ${phrase.key} `) &&
      topics >= EXTENSION_SHARE * phrase.topics,
  ) ?? phrase

const mostFrequent = (forms: ReadonlyMap<string, number>): string =>
  [...forms].sort(([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1))[0]![0]

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
