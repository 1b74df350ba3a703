import type { VizData } from "#lib/domain/map.ts"
import { recordingOf } from "./recording.ts"

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

/** One for each map that is put in place. */
const tags = new WeakMap<VizData, string>()
let given = 0
const tagOf = (map: VizData): string => {
  const tag = tags.get(map) ?? `"${++given}"`
  tags.set(map, tag)
  return tag
}

type Held = { map: VizData }
/** The map that the page answers itself with; a test may put another in its place. */
export const held = { map: null as unknown as VizData } satisfies Held

const search = (q: string) =>
  held.map.points.flatMap((p, point_index) => {
    const at = `${p.topic_title} ${p.summary}`.toLowerCase().indexOf(q.toLowerCase())
    const { topic_title, clip_title, clip_id, summary } = p
    return at < 0 ? [] : [{ point_index, topic_title, clip_title, clip_id, summary, similarity: 1 / (1 + at / 40) }]
  })

/** From now on the page answers itself: with this map, a search by letters, and recordings that have words but no sound. */
export const answerFrom = (map: VizData): void => {
  held.map = map
  Object.assign(window, { held })
  window.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, window.location.href)
    if (pathname === "/viz/data") {
      const etag = tagOf(held.map)
      const known = new Headers(init?.headers).get("if-none-match")
      return known === etag ? new Response(null, { status: 304 }) : json(held.map, 200, { etag })
    }
    if (pathname === "/viz/search")
      return json(
        search(searchParams.get("q") ?? "")
          .sort((a, b) => b.similarity - a.similarity)
          .slice(0, 24),
      )
    const clip = recordingOf(held.map, decodeURIComponent(/^\/clips\/([^/]+)$/.exec(pathname)?.[1] ?? ""))
    if (clip) return json(clip)
    return json({ detail: "There is no backend behind this page." }, 404)
  }
}
