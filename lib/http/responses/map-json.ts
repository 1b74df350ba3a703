import { setImmediate as immediate } from "node:timers/promises"
import type { ZodType } from "zod"
import { edgeColumns, pointColumns, topicPoint, vizData } from "../../domain/map.ts"
import { toEdgeColumns, toPointColumns } from "../../domain/map-columns.ts"
import { describeIssues } from "../../domain/parse-input.ts"
import type { UnclusteredMap, VizDataAnswer } from "../../services/map/map-data.ts"

/** JSON in UTF-8 that is written part by part, so that a large map does not delay other requests. */
export type MapJson = {
  /** The length of all parts, in bytes. */
  readonly byteLength: number
  parts(): Iterable<Uint8Array>
}

/** Points that are validated, serialized or written before the process handles other requests. */
const POINTS_AT_ONCE = 1000

/** Points in UTF-8, each without its cluster and the closing brace. */
type PointsText = {
  readonly bytes: Buffer
  /** The end of each point in `bytes`. */
  readonly ends: Uint32Array
}

/** The JSON of a map without its clusters, to which those of each threshold are added. */
type MapText = {
  /** Parts of `POINTS_AT_ONCE` points; the last one may have fewer. */
  readonly points: readonly PointsText[]
  /** The other fields of the map, without the opening brace. */
  readonly rest: string
}

const unclusteredPoint = topicPoint.omit({ cluster_id: true })
const unclusteredRest = vizData.omit({ points: true, total_clusters: true, distance_threshold: true })

/** A map is served for many thresholds and requests, so its parts are validated and serialized only once. */
const cachedTexts = new WeakMap<UnclusteredMap, Promise<MapText>>()

/** Returns the JSON of a map, or of some of its fields. Throws if the map does not match its schema. */
export const toMapJson = async (answer: VizDataAnswer, fields?: readonly string[]): Promise<MapJson> => {
  const { labels, ...figures } = answer.clusters
  if (!fields) {
    const text = await loadText(answer.map)
    return joinParts(text, labels, `${JSON.stringify(figures).slice(1, -1)},${text.rest}`)
  }
  const { points: _, ...others } = { ...answer.map, ...figures }
  const columns = await serializeColumns(answer, fields)
  const chosen = Object.entries(others).filter(([name]) => fields.includes(name))
  const members = [...chosen.map(([name, value]) => `"${name}":${JSON.stringify(value)}`), ...columns]
  if (fields.includes("points")) return joinParts(await loadText(answer.map), labels, `${members.join(",")}}`)
  const bytes = Buffer.from(`{${members.join(",")}}`)
  return { byteLength: bytes.length, parts: () => [bytes] }
}

type ColumnsText = {
  /** The columns of the points without the clusters, without braces. */
  readonly points: string
  readonly edges: string
}

/** As with points, only the clusters depend on the threshold. */
const cachedColumns = new WeakMap<UnclusteredMap, Promise<ColumnsText>>()

/** Returns the members of the object that have points and edges as columns, as far as `fields` names them. */
const serializeColumns = async (
  { map, clusters }: VizDataAnswer,
  fields: readonly string[],
): Promise<readonly string[]> => {
  const hasPoints = fields.includes("point_columns")
  const hasEdges = fields.includes("edge_columns")
  if (!hasPoints && !hasEdges) return []
  const text = cachedColumns.get(map) ?? createColumns(map)
  cachedColumns.set(map, text)
  text.catch(() => cachedColumns.delete(map))
  const { points, edges } = await text
  const clusterIds = `"cluster_id":[${clusters.labels.join(",")}]`
  return [...(hasPoints ? [`"point_columns":{${points},${clusterIds}}`] : []), ...(hasEdges ? [edges] : [])]
}

const createColumns = async ({ points, clip_ids, edges }: UnclusteredMap): Promise<ColumnsText> => {
  const columns = toPointColumns(points, clip_ids)
  const members: string[] = []
  for (const [name, schema] of Object.entries(pointColumns.omit({ cluster_id: true }).shape)) {
    // Other requests are handled between the columns.
    await immediate()
    members.push(`"${name}":${JSON.stringify(check<unknown>(schema, columns[name as keyof typeof columns]))}`)
  }
  await immediate()
  return {
    points: members.join(","),
    edges: `"edge_columns":${JSON.stringify(check(edgeColumns, toEdgeColumns(edges)))}`,
  }
}

const CLUSTER = Buffer.from(',"cluster_id":')

/** @param rest the fields after the points, without the opening brace; only a closing brace if there are none */
const joinParts = ({ points }: MapText, labels: Int32Array, rest: string): MapJson => {
  const start = Buffer.from('{"points":[')
  const end = Buffer.from(rest === "}" ? "]}" : `],${rest}`)
  const sizes = points.map((part, i) => sizeWithClusters(part, labels, i * POINTS_AT_ONCE))
  return {
    byteLength: start.length + sizes.reduce((sum, size) => sum + size, 0) + end.length,
    *parts() {
      yield start
      for (const [i, part] of points.entries()) yield addClusters(part, labels, i * POINTS_AT_ONCE, sizes[i]!)
      yield end
    },
  }
}

const countDigits = (value: number): number => {
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
  return digits
}

/** Returns the size of what `addClusters` writes. */
const sizeWithClusters = ({ bytes, ends }: PointsText, labels: Int32Array, first: number): number => {
  let size = bytes.length + ends.length * (CLUSTER.length + "}".length) + ends.length - (first === 0 ? 1 : 0)
  for (let i = 0; i < ends.length; i++) size += countDigits(labels[first + i]!)
  return size
}

/** Returns points with their clusters, separated by commas. @param first the index of the first one */
const addClusters = ({ bytes, ends }: PointsText, labels: Int32Array, first: number, size: number): Buffer => {
  const out = Buffer.allocUnsafe(size)
  let at = 0
  let from = 0
  for (let i = 0; i < ends.length; i++) {
    if (first + i > 0) out[at++] = 0x2c
    at += bytes.copy(out, at, from, ends[i]!)
    from = ends[i]!
    at += CLUSTER.copy(out, at)
    at += out.write(`${labels[first + i]}}`, at, "latin1")
  }
  return out
}

const loadText = (map: UnclusteredMap): Promise<MapText> => {
  const text = cachedTexts.get(map) ?? serialize(map)
  cachedTexts.set(map, text)
  text.catch(() => cachedTexts.delete(map))
  return text
}

const serialize = async ({ points, ...rest }: UnclusteredMap): Promise<MapText> => {
  const parts: PointsText[] = []
  for (let from = 0; from < points.length; from += POINTS_AT_ONCE) {
    if (from > 0) await immediate()
    parts.push(serializePoints(points.slice(from, from + POINTS_AT_ONCE)))
  }
  await immediate()
  return { points: parts, rest: JSON.stringify(check(unclusteredRest, rest)).slice(1) }
}

const serializePoints = (points: UnclusteredMap["points"]): PointsText => {
  const texts = points.map((point) => JSON.stringify(check(unclusteredPoint, point)).slice(0, -1))
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [i, text] of texts.entries()) {
    end += Buffer.byteLength(text)
    ends[i] = end
  }
  return { bytes: Buffer.from(texts.join("")), ends }
}

const check = <T>(schema: ZodType<T>, value: unknown): T => {
  const checked = schema.safeParse(value)
  if (checked.success) return checked.data
  throw new Error(`the map does not match its schema: ${describeIssues(checked.error.issues, "the map")}`)
}
