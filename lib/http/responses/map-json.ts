import { setImmediate as immediate } from "node:timers/promises"
import type { ZodType } from "zod"
import { topicPoint, vizData } from "../../domain/map.ts"
import { describeIssues } from "../../domain/parse-input.ts"
import type { UnclusteredMap, VizDataAnswer } from "../../services/map/map-data.ts"

/** Points that are validated and serialized before the process handles other requests. 2000 take about 10 ms. */
const POINTS_AT_ONCE = 2000

/** The JSON of a map without its clusters, to which those of each threshold are added. */
type MapText = {
  /** The fields of each point, without the closing brace. */
  readonly points: readonly string[]
  /** The other fields of the map, without the opening brace. */
  readonly rest: string
}

const unclusteredPoint = topicPoint.omit({ cluster_id: true })
const unclusteredRest = vizData.omit({ points: true, total_clusters: true, distance_threshold: true })

/** A map is served for many thresholds and requests, so its parts are validated and serialized only once. */
const cachedTexts = new WeakMap<UnclusteredMap, Promise<MapText>>()
const cachedJson = new WeakMap<VizDataAnswer, string>()

/** Returns the JSON of a map, or of some of its fields. Throws if the map does not match its schema. */
export const toMapJson = async (answer: VizDataAnswer, fields?: readonly string[]): Promise<string> => {
  const text = await loadText(answer.map)
  return fields ? formatFields(answer, text, fields) : formatMap(answer, text)
}

const formatPoints = ({ clusters }: VizDataAnswer, { points }: MapText): string =>
  `"points":[${points.map((text, i) => `${text},"cluster_id":${clusters.labels[i]}}`).join(",")}]`

const formatMap = (answer: VizDataAnswer, text: MapText): string => {
  const known = cachedJson.get(answer)
  if (known !== undefined) return known
  const { labels: _, ...figures } = answer.clusters
  const json = `{${formatPoints(answer, text)},${JSON.stringify(figures).slice(1, -1)},${text.rest}`
  cachedJson.set(answer, json)
  return json
}

const formatFields = (answer: VizDataAnswer, text: MapText, fields: readonly string[]): string => {
  const { labels: _, ...figures } = answer.clusters
  const { points: __, ...rest } = { ...answer.map, ...figures }
  const others = Object.entries(rest).filter(([name]) => fields.includes(name))
  const parts = others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...(fields.includes("points") ? [formatPoints(answer, text)] : []), ...parts].join(",")}}`
}

const loadText = (map: UnclusteredMap): Promise<MapText> => {
  const text = cachedTexts.get(map) ?? serialize(map)
  cachedTexts.set(map, text)
  text.catch(() => cachedTexts.delete(map))
  return text
}

const serialize = async ({ points, ...rest }: UnclusteredMap): Promise<MapText> => {
  const texts: string[] = []
  for (const [i, point] of points.entries()) {
    if (i > 0 && i % POINTS_AT_ONCE === 0) await immediate()
    texts.push(JSON.stringify(check(unclusteredPoint, point)).slice(0, -1))
  }
  await immediate()
  return { points: texts, rest: JSON.stringify(check(unclusteredRest, rest)).slice(1) }
}

const check = <T>(schema: ZodType<T>, value: unknown): T => {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  throw new Error(`the map does not match its schema: ${describeIssues(checked.error.issues, "the map")}`)
}
