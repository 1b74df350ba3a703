import type { MapLabel } from "../../domain/map.ts"
import { stem } from "../../domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../domain/text/tokens.ts"
import { computeRegions, type Regions } from "../../map/clusters/regions.ts"

/** The maximum number of regions at each level of detail. */
const MAX_REGIONS = [7, 28, 110] as const
/** The minimum mean number of points per region, which limits the regions of a small map. */
const MIN_MEAN_POINTS = 3
/** A label word must occur in this many titles. Otherwise a label could combine words of unrelated titles. */
const MIN_TITLES = 2
/** The number of best words that are considered for a label. */
const MAX_CANDIDATE_WORDS = 6

type Titled = { readonly title: string; readonly level: number }
/** Per point: stem → word as written in the title. */
type TitleTerms = readonly ReadonlyMap<string, string>[]
/** One region with the score of each stem. */
type Region = {
  readonly points: readonly number[]
  readonly scores: ReadonlyMap<string, number>
}

/**
 * Labels the regions of the map at three levels of detail. A label consists of the words that are more frequent in the
 * titles of its region than elsewhere (class-based tf-idf, Grootendorst 2022). At the finest level it is the title with the
 * best words. All labels are distinct.
 * @param coords points × 3, as shown
 */
export const labelRegions = (topics: readonly Titled[], coords: ArrayLike<number>): MapLabel[] => {
  const terms = topics.map((topic) => collectTitleTerms(topic.title))
  const frequencies = new Map<string, number>()
  for (const own of terms) for (const term of own.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  const used = new Set<string>()
  return MAX_REGIONS.flatMap((maxRegions, depth) => {
    const k = Math.min(maxRegions, Math.floor(topics.length / MIN_MEAN_POINTS))
    // With no more regions than the level above, this level would only repeat its labels.
    if (k < 2 || (depth > 0 && k <= MAX_REGIONS[depth - 1]!)) return []
    const regions = computeRegions(coords, topics.length, k)
    if (regions.sizes.length < 2) return []
    return groupPoints(regions).flatMap((points, i): MapLabel[] => {
      if (points.length < 2) return []
      const region = { points, scores: scoreTerms(points, terms, frequencies) }
      const text = depth < 2 ? chooseWords(region, terms, used) : chooseTitle(region, topics, terms, used)
      if (text === null) return []
      used.add(text.toLowerCase())
      const radius = Math.round(regions.radii[i]! * 1e4) / 1e4
      return [{ text, depth, point: regions.anchors[i]!, size: points.length, radius }]
    })
  })
}

const collectTitleTerms = (title: string): Map<string, string> => {
  const terms = new Map<string, string>()
  for (const word of splitWords(title)) {
    const normalised = normalizeWord(word)
    if (isContentWord(normalised, STOP_WORDS)) terms.set(stem(normalised), word)
  }
  return terms
}

const groupPoints = ({ regionOf, sizes }: Regions): number[][] => {
  const groups = Array.from(sizes, (): number[] => [])
  regionOf.forEach((region, point) => {
    groups[region]!.push(point)
  })
  return groups
}

/** Scores each term of a region by its frequency there and its rarity elsewhere. */
const scoreTerms = (points: readonly number[], terms: TitleTerms, frequencies: ReadonlyMap<string, number>) => {
  const counts = new Map<string, number>()
  for (const i of points) for (const term of terms[i]!.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  return new Map(
    [...counts].map(([term, count]) => [term, count * Math.log(1 + terms.length / frequencies.get(term)!)]),
  )
}

const sortByScore = (scores: ReadonlyMap<string, number>): string[] =>
  [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([term]) => term)

/**
 * Returns a label of the best word and a second one, or of the best word alone if all such pairs are used. Returns null if
 * no two titles share a word or if all labels are used.
 */
const chooseWords = ({ points, scores }: Region, terms: TitleTerms, used: ReadonlySet<string>): string | null => {
  const isShared = (term: string) => {
    let titles = 0
    for (const i of points) if (terms[i]!.has(term) && ++titles === MIN_TITLES) return true
    return false
  }
  const [first, ...others] = sortByScore(scores).filter(isShared).slice(0, MAX_CANDIDATE_WORDS)
  if (first === undefined) return null
  for (const words of [...others.map((other) => [first, other]), [first]]) {
    const [head, ...tail] = words.map((term) => mostFrequentForm(term, points, terms))
    const label = [capitalise(head!), ...tail].join(" · ")
    if (!used.has(label.toLowerCase())) return label
  }
  return null
}

const mostFrequentForm = (term: string, points: readonly number[], terms: TitleTerms): string => {
  const forms = new Map<string, number>()
  for (const i of points) {
    const form = terms[i]!.get(term)
    if (form !== undefined) forms.set(form, (forms.get(form) ?? 0) + 1)
  }
  return sortByScore(forms)[0]!
}

const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Returns the title with the best words for its length. Titles of topics come before titles of whole recordings. */
const chooseTitle = (
  { points, scores }: Region,
  topics: readonly Titled[],
  terms: TitleTerms,
  used: ReadonlySet<string>,
): string | null => {
  let title: string | null = null
  let bestScore = Number.NEGATIVE_INFINITY
  for (const i of points) {
    const own = [...terms[i]!.keys()]
    const sum = own.reduce((total, term) => total + scores.get(term)!, 0)
    const score = sum / Math.sqrt(1 + own.length) - (topics[i]!.level === 1 ? 1e6 : 0)
    if (score <= bestScore || used.has(topics[i]!.title.toLowerCase())) continue
    bestScore = score
    title = topics[i]!.title
  }
  return title
}
