import { AppError } from "../domain/errors.ts"
import { titleOf } from "../domain/jobs/source.ts"
import { plainName } from "../domain/schemas.ts"
import { readXml } from "../platform/xml.ts"
import { decodeXml } from "./decode-xml.ts"
import { type FetchRules, guardedFetch } from "./guarded-fetch.ts"

export type FeedEpisode = {
  readonly title: string
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly publishedAt: number | null
  readonly duration_s: number | null
}
export type ParsedFeed = { readonly title: string; readonly episodes: readonly FeedEpisode[] }

/** A feed of ten thousand episodes has some ten megabytes. */
const MAX_BYTES = 20 * 2 ** 20
const MAX_TITLE = 500

/** itunes:duration: seconds, M:SS or H:MM:SS. */
const secondsOf = (text: string): number | null => {
  const parts = text.trim().split(":").map(Number)
  if (text.trim() === "" || parts.length > 3 || parts.some((n) => !Number.isFinite(n) || n < 0)) return null
  return parts.reduce((sum, n) => sum * 60 + n, 0)
}

const timeOf = (text: string): number | null => {
  const at = Date.parse(text.trim())
  return Number.isFinite(at) ? at : null
}

const isSound = ({ type = "", url = "", href = "" }: Readonly<Record<string, string>>): boolean =>
  /^(audio|video)\//i.test(type) ||
  (type === "" && /\.(mp3|m4a|aac|ogg|opus|wav|flac|mp4|webm)(\?|$)/i.test(url || href))

const ITEMS = new Set(["item", "entry"])
const KEPT = new Set(["title", "pubDate", "published", "updated", "itunes:duration"])

/**
 * Reads RSS 2.0 and Atom from front to end: no document type is processed and no entity of one's own expanded, so
 * nothing is fetched and nothing grows. Episodes without sound are left out; addresses are made absolute by `base`.
 */
export const parseFeed = (xml: string, base: string): ParsedFeed | null => {
  let isFeed = false
  let title = ""
  let item: { fields: Map<string, string>; url: string | null } | null = null
  const path: string[] = []
  const episodes: FeedEpisode[] = []
  const sound = (name: string, attributes: Readonly<Record<string, string>>): string | undefined => {
    if (name === "enclosure" && isSound(attributes)) return attributes.url
    if (name === "link" && attributes.rel === "enclosure" && isSound(attributes)) return attributes.href
    if (name === "media:content" && isSound(attributes)) return attributes.url
    return undefined
  }
  const close = ({ fields, url }: NonNullable<typeof item>): void => {
    if (url === null || !URL.canParse(url, base)) return
    const { href, protocol } = new URL(url, base)
    if (protocol !== "http:" && protocol !== "https:") return
    episodes.push({
      title: plainName(fields.get("title") ?? "").slice(0, MAX_TITLE) || titleOf({ kind: "url", url: href }),
      url: href,
      publishedAt: timeOf(fields.get("pubDate") ?? fields.get("published") ?? fields.get("updated") ?? ""),
      duration_s: secondsOf(fields.get("itunes:duration") ?? ""),
    })
  }
  try {
    readXml(xml, {
      open: (name, attributes) => {
        path.push(name)
        if (name === "rss" || name === "feed" || name === "rdf:RDF") isFeed = true
        if (ITEMS.has(name)) item = { fields: new Map(), url: null }
        if (item) item.url ??= sound(name, attributes) ?? null
      },
      text: (text) => {
        const name = path.at(-1) ?? ""
        const isItem = item !== null && ITEMS.has(path.at(-2) ?? "")
        if (isItem && KEPT.has(name)) item!.fields.set(name, (item!.fields.get(name) ?? "") + text)
        else if (item === null && name === "title" && ["channel", "feed"].includes(path.at(-2) ?? "")) title += text
      },
      close: (name) => {
        path.pop()
        if (ITEMS.has(name) && item) {
          close(item)
          item = null
        }
      },
    })
  } catch (error) {
    // What nests too deep is no feed that anybody publishes.
    if (error instanceof AppError) return null
    throw error
  }
  return isFeed ? { title: plainName(title).slice(0, MAX_TITLE), episodes } : null
}

/**
 * Fetches a podcast's feed by the guarded fetch and lists its episodes, as the feed orders them.
 * @throws AppError `invalid` for an address that is no feed, and as `guardedFetch`
 */
export const fetchFeed = async (address: string, rules: FetchRules, signal: AbortSignal): Promise<ParsedFeed> => {
  const { url, headers, body } = await guardedFetch(
    address,
    { ...rules, maxBytes: Math.min(rules.maxBytes, MAX_BYTES) },
    signal,
  )
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  const found = parseFeed(decodeXml(Buffer.concat(chunks), headers["content-type"]), url)
  if (found) return found
  throw new AppError("invalid", `'${address}' is no podcast feed: give the address of its RSS or Atom file`)
}
