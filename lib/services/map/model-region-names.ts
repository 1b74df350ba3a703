import { sha256 } from "../../domain/ids.ts"
import type { MapRegion } from "../../domain/map.ts"
import type { RegionRequest, TopicModel } from "../../engines/language/types.ts"
import { requireStore } from "../deps.ts"
import type { TopicIndex } from "../search/topic-index.ts"
import { type Regions, squaredDistance } from "./regions.ts"
import type { VizDeps } from "./topic-map.ts"

/** The maximum number of titles that represent a region: those of the topics nearest to its center. */
const MAX_TITLES = 12
/** The context of the model, in tokens. The titles need a fraction of it. */
const CONTEXT_TOKENS = 4096
/** The wait before a name is requested again after a failure. */
const RETRY_DELAY_MS = 10 * 60_000

type Question = RegionRequest & { readonly region: number; readonly key: string }

/** When a name that could not be given may be requested again, in Unix milliseconds by key. */
const retryTimes = new Map<string, number>()
/** True while regions are named. Regions of a newer map wait, because a map changes faster than a model names its regions. */
let isNaming = false

/**
 * Returns the stored names that a language model gave to regions, by region ID. Regions without one are named in the
 * background, with one call each, for one map at a time; the map revision then increases. Without a language model the result is empty.
 */
export const loadModelNames = async (
  deps: VizDeps,
  index: TopicIndex,
  regions: Regions,
  coords: ArrayLike<number>,
): Promise<ReadonlyMap<number, string>> => {
  if (regions.regions.length === 0) return new Map()
  const model = await deps.engines.getTopicModel({ provider: "auto" })
  if (!model.nameRegion) return new Map()
  const questions = regions.regions.map((region) => createQuestion(model.model ?? "", index, regions, region, coords))
  const names = await requireStore(deps).map.getRegionNames(questions.map(({ key }) => key))
  const now = Date.now()
  for (const [key, retryAt] of retryTimes) if (retryAt <= now) retryTimes.delete(key)
  const open = questions.filter(({ key }) => !names.has(key) && !retryTimes.has(key))
  if (open.length > 0 && !isNaming) void nameInBackground(deps, model, open)
  return new Map(questions.flatMap(({ region, key }) => (names.has(key) ? [[region, names.get(key)!] as const] : [])))
}

const createQuestion = (
  model: string,
  { snapshot }: TopicIndex,
  { regionOf, phrases: phrasesOf }: Regions,
  { id, point }: MapRegion,
  coords: ArrayLike<number>,
): Question => {
  const members = snapshot.topics.flatMap(({ level, title }, i) => (regionOf[i] === id ? [{ i, level, title }] : []))
  const main = members.filter(({ level }) => level === 2)
  const titles = (main.length > 0 ? main : members)
    .map(({ i, title }) => ({ title, distance: squaredDistance(coords, i, point) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_TITLES)
    .map(({ title }) => title)
    .sort()
  const phrases = phrasesOf[id]!
  return { region: id, titles, phrases, key: sha256([model, ...titles, ...phrases].join("\n")) }
}

const nameInBackground = async (deps: VizDeps, model: TopicModel, questions: readonly Question[]): Promise<void> => {
  isNaming = true
  const ctx = { signal: new AbortController().signal, numCtx: CONTEXT_TOKENS, reasoning: false }
  const names = new Map<string, string>()
  try {
    for (const question of questions) {
      const name = await model.nameRegion!(question, ctx)
      if (name !== null) names.set(question.key, name)
    }
  } catch (error) {
    deps.log.debug({ err: error }, "could not name all regions of the map; the phrases that are said there remain")
  }
  for (const { key } of questions) if (!names.has(key)) retryTimes.set(key, Date.now() + RETRY_DELAY_MS)
  try {
    await requireStore(deps).map.putRegionNames(names)
  } catch (error) {
    deps.log.warn({ err: error }, "could not store the names of regions")
  }
  isNaming = false
}
