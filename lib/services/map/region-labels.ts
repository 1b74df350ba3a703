import type { MapLabel } from "../../domain/map.ts"
import { stem } from "../../domain/text/stem.ts"
import { isContentWord, STOP_WORDS } from "../../domain/text/stop-words.ts"
import { normalise, wordsOf } from "../../domain/text/tokens.ts"
import { computeRegions, type Regions } from "../../map/clusters/regions.ts"

/** Regions of a large map at each level of detail; a small one has fewer. */
const REGIONS = [7, 28, 110] as const
/** Points that a region has at least, on the average. */
const LEAST = 3
/** Titles of a region that a word must stand in: words of one title each, put side by side, would be an invented name. */
const SHARED = 2

type Named = { readonly title: string; readonly level: number }

/** Words of a title by stem, as written, stop words left out. */
const termsOf = (title: string): Map<string, string> => {
  const out = new Map<string, string>()
  for (const word of wordsOf(title)) {
    const plain = normalise(word)
    if (isContentWord(plain, STOP_WORDS)) out.set(stem(plain), word)
  }
  return out
}

/**
 * Names for the lands of the map, at three levels of detail: the words that the titles inside a region share more than
 * those outside do (class-based tf-idf, Grootendorst 2022), and at the finest level the title that has most of them. No two
 * names are alike.
 *
 * @param coords points × 3, as shown.
 */
export const mapLabels = (topics: readonly Named[], coords: ArrayLike<number>): MapLabel[] => {
  const n = topics.length
  const terms = topics.map((topic) => termsOf(topic.title))
  const everywhere = new Map<string, number>()
  for (const own of terms) for (const term of own.keys()) everywhere.set(term, (everywhere.get(term) ?? 0) + 1)
  const taken = new Set<string>()
  return REGIONS.flatMap((wanted, depth) => {
    const k = Math.min(wanted, Math.floor(n / LEAST))
    // Fewer regions than the level above would say the same again.
    if (k < 2 || (depth > 0 && k <= REGIONS[depth - 1]!)) return []
    const regions = computeRegions(coords, n, k)
    if (regions.sizes.length < 2) return []
    const members = membersOf(regions)
    return members.flatMap((points, region): MapLabel[] => {
      if (points.length < 2) return []
      const scores = distinctive(points, terms, everywhere, n)
      const text = depth < 2 ? byWords(scores, points, terms, taken) : byTitle(scores, points, topics, terms, taken)
      if (text === null) return []
      taken.add(text.toLowerCase())
      return [
        {
          text,
          depth,
          point: regions.anchors[region]!,
          size: points.length,
          radius: Math.round(regions.radii[region]! * 1e4) / 1e4,
        },
      ]
    })
  })
}

const membersOf = ({ regionOf, sizes }: Regions): number[][] => {
  const members = Array.from(sizes, (): number[] => [])
  regionOf.forEach((region, i) => {
    members[region]!.push(i)
  })
  return members
}

type Terms = readonly ReadonlyMap<string, string>[]

/** How much each word says about a region: often here, seldom elsewhere. */
const distinctive = (points: readonly number[], terms: Terms, everywhere: ReadonlyMap<string, number>, n: number) => {
  const here = new Map<string, number>()
  for (const i of points) for (const term of terms[i]!.keys()) here.set(term, (here.get(term) ?? 0) + 1)
  return new Map([...here].map(([term, count]) => [term, count * Math.log(1 + n / everywhere.get(term)!)]))
}

const best = (scores: ReadonlyMap<string, number>): string[] =>
  [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([term]) => term)

/** The form in which most titles write a word. */
const written = (term: string, points: readonly number[], terms: Terms): string => {
  const forms = new Map<string, number>()
  for (const i of points) {
    const form = terms[i]!.get(term)
    if (form !== undefined) forms.set(form, (forms.get(form) ?? 0) + 1)
  }
  return best(forms)[0]!
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** One or two words that titles share; when another region has the same two, the next ones. Null: they share none. */
const byWords = (
  scores: ReadonlyMap<string, number>,
  points: readonly number[],
  terms: Terms,
  taken: ReadonlySet<string>,
): string | null => {
  const shared = (term: string) => {
    let titles = 0
    for (const i of points) if (terms[i]!.has(term) && ++titles === SHARED) return true
    return false
  }
  const order = best(scores).filter(shared).slice(0, 6)
  const [first, ...others] = order
  if (first === undefined) return null
  // With a second word it says more; alone it does where all such names are taken.
  for (const words of [...others.map((other) => [first, other]), [first]]) {
    const [head, ...tail] = words.map((term) => written(term, points, terms))
    const name = [capital(head!), ...tail].join(" · ")
    if (!taken.has(name.toLowerCase())) return name
  }
  return null
}

/** The title with the most telling words for its length; topics before whole recordings. */
const byTitle = (
  scores: ReadonlyMap<string, number>,
  points: readonly number[],
  topics: readonly Named[],
  terms: Terms,
  taken: ReadonlySet<string>,
): string | null => {
  let title: string | null = null
  let most = Number.NEGATIVE_INFINITY
  for (const i of points) {
    const own = [...terms[i]!.keys()]
    const sum = own.reduce((total, term) => total + scores.get(term)!, 0)
    const score = sum / Math.sqrt(1 + own.length) - (topics[i]!.level === 1 ? 1e6 : 0)
    if (score <= most || taken.has(topics[i]!.title.toLowerCase())) continue
    most = score
    title = topics[i]!.title
  }
  return title
}
