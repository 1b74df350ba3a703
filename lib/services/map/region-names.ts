import { getInformation } from "../../domain/text/information.ts"
import type { TopicIndex } from "../search/topic-index.ts"

/** A phrase must be said in this many topics of a region. Otherwise the name could be about one of them only. */
const MIN_TOPICS = 2
/** A longer phrase replaces a shorter one that it contains if this share of the topics says it. */
const EXTENSION_SHARE = 0.4
/** A second phrase is added if it has this share of the first one's score, and the name does not become too long. */
const SECOND_SHARE = 0.35
const MAX_WORDS = 4

/** A phrase that is said in the library. */
type Phrase = {
  readonly key: string
  readonly stems: readonly string[]
  /** The mean information of its stems. */
  readonly information: number
}
type Candidate = {
  readonly id: number
  readonly key: string
  readonly stems: readonly string[]
  readonly score: number
  /** The number of topics of the region that say it. */
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
  private readonly used = new Set<string>()
  /** The first phrases of the names so far. No two names begin with the same phrase. */
  private readonly heads = new Set<string>()
  private readonly idOf = new Map<string, number>()
  private readonly keys: string[] = []
  /** The phrases that were candidates so far, by ID. */
  private readonly known = new Map<number, Phrase>()
  /** The phrases of each topic below the recordings, by ID; empty for whole recordings. */
  private readonly phrasesOf: readonly (readonly number[])[]
  /** The number of topics that say each phrase. */
  private readonly totals: Int32Array
  private readonly total: number

  constructor(private readonly index: TopicIndex) {
    const { topics } = index.snapshot
    this.phrasesOf = topics.map(({ level, speechHash }) =>
      level > 1 ? (index.speech.get(speechHash)?.phrases ?? []).map(({ key }) => this.identify(key)) : [],
    )
    this.totals = new Int32Array(this.keys.length)
    for (const ids of this.phrasesOf) for (const id of ids) this.totals[id]!++
    this.total = topics.filter(({ level }) => level > 1).length
  }

  /**
   * Returns the name of a region.
   * @param avoid stems of the name of the region around it
   */
  name(points: readonly number[], avoid: ReadonlySet<string> = new Set()): RegionName {
    const candidates = this.rank(points).filter(({ stems }) => !stems.some((stem) => avoid.has(stem)))
    for (const candidate of candidates.filter(({ key }) => !this.heads.has(key))) {
      const first = extend(candidate, candidates)
      const second = candidates.find(
        (other) =>
          other.score >= SECOND_SHARE * first.score &&
          first.stems.length + other.stems.length <= MAX_WORDS &&
          !other.stems.some((stem) => first.stems.includes(stem)),
      )
      for (const chosen of second ? [[first, second], [first]] : [[first]]) {
        const phrases = chosen.map(({ id }) => this.findUsualForm(id, points))
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

  private identify(key: string): number {
    const known = this.idOf.get(key)
    if (known !== undefined) return known
    this.idOf.set(key, this.keys.length)
    return this.keys.push(key) - 1
  }

  private describe(id: number): Phrase {
    const known = this.known.get(id)
    if (known) return known
    const key = this.keys[id]!
    const stems = key.split(" ")
    const information = stems.reduce((sum, stem) => sum + getInformation(stem), 0) / stems.length
    const phrase = { key, stems, information }
    this.known.set(id, phrase)
    return phrase
  }

  /** Returns the phrases of a region that are more frequent there than elsewhere, best first. */
  private rank(points: readonly number[]): Candidate[] {
    const counts = new Map<number, number>()
    let size = 0
    for (const point of points) {
      if (this.index.snapshot.topics[point]!.level > 1) size++
      for (const id of this.phrasesOf[point]!) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    const candidates: Candidate[] = []
    for (const [id, topics] of counts) {
      if (topics < MIN_TOPICS) continue
      const { key, stems, information } = this.describe(id)
      const contrast = logOdds(topics, size) - logOdds(this.totals[id]! - topics, this.total - size)
      const score = topics * contrast * information * Math.sqrt(stems.length)
      if (score > 0) candidates.push({ id, key, stems, score, topics })
    }
    return candidates.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  }

  /** Returns the form in which a region says a phrase most often. */
  private findUsualForm(id: number, points: readonly number[]): string {
    const { topics } = this.index.snapshot
    const forms = new Map<string, number>()
    for (const point of points) {
      const at = this.phrasesOf[point]!.indexOf(id)
      if (at < 0) continue
      const { form, count } = this.index.speech.get(topics[point]!.speechHash)!.phrases[at]!
      forms.set(form, (forms.get(form) ?? 0) + count)
    }
    return mostFrequent(forms)
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
