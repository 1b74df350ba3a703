import type { SearchResult, VizData } from "#lib/domain/map.ts"
import { toEdgeColumns, toPointColumns } from "#lib/domain/map-columns.ts"
import { buildClip } from "./recording.ts"

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

const etags = new WeakMap<VizData, string>()
let etagCount = 0
const etagOf = (map: VizData): string => {
  const etag = etags.get(map) ?? `"${++etagCount}"`
  etags.set(map, etag)
  return etag
}

/** Finer than the service rounds coordinates, so that pictures show exactly where points are. */
const STEPS = 2 ** 24

/** Returns the map as the page requests it: with points and edges as columns. */
const withColumns = ({ points, edges, ...map }: VizData): Omit<VizData, "points" | "edges"> => ({
  ...map,
  point_columns: {
    ...toPointColumns(points, map.clip_ids, STEPS),
    cluster_id: points.map(({ cluster_id }) => cluster_id),
  },
  edge_columns: toEdgeColumns(edges),
})

/** Finds the words of a query anywhere in title and summary. The passage begins 20 s into the topic. */
const search = ({ points }: VizData, q: string): SearchResult[] =>
  points.flatMap((p, point_index): SearchResult[] => {
    const at = `${p.topic_title} ${p.summary}`.toLowerCase().indexOf(q.toLowerCase())
    const { topic_title, clip_title, clip_id, summary, start_s } = p
    if (at < 0) return []
    const score = 1 / (1 + at / 40)
    const passage = { text: `Well , let's see . ${summary}`, start_s: start_s + 20, end_s: start_s + 40 }
    return [{ point_index, topic_title, clip_title, clip_id, summary, similarity: score / 2, score, passage }]
  })

/**
 * Replaces `fetch` by a backend inside the page: the map, a text search and recordings without audio. Tests replace the
 * map through `window.backend.map`.
 */
export const installBackend = (map: VizData): void => {
  const backend = { map }
  Object.assign(window, { backend })
  window.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, window.location.href)
    if (pathname === "/viz/data") {
      const etag = etagOf(backend.map)
      const known = new Headers(init?.headers).get("if-none-match")
      return known === etag ? new Response(null, { status: 304 }) : json(withColumns(backend.map), 200, { etag })
    }
    if (pathname === "/viz/search")
      return json(
        search(backend.map, searchParams.get("q") ?? "")
          .sort((a, b) => b.score - a.score)
          .slice(0, 24),
      )
    const clip = buildClip(backend.map, decodeURIComponent(/^\/clips\/([^/]+)$/.exec(pathname)?.[1] ?? ""))
    if (clip) return json(clip)
    return json({ detail: "There is no backend behind this page." }, 404)
  }
}
