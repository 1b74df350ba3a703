import { MAX_CLIP_TITLE_CHARS } from "../domain/constants.ts"
import { AppError } from "../domain/errors.ts"
import { defaultTitle } from "../domain/jobs/source.ts"
import { cleanName } from "../domain/schemas.ts"
import { readXml } from "../platform/xml.ts"
import { decodeXml } from "./decode-xml.ts"
import { type FetchRules, guardedFetch } from "./guarded-fetch.ts"

export type FeedEpisode = {
  readonly title: string
  readonly url: string
  /** Unix time in milliseconds. */
  readonly publishedAt: number | null
  readonly duration_s: number | null
}
export type ParsedFeed = { readonly title: string; readonly episodes: readonly FeedEpisode[] }

/** A feed of ten thousand episodes has about ten megabytes. */
const MAX_BYTES = 20 * 2 ** 20

/** Parses itunes:duration: seconds, M:SS or H:MM:SS. */
const parseDuration = (text: string): number | null => {
  const parts = text.trim().split(":").map(Number)
  if (text.trim() === "" || parts.length > 3 || parts.some((n) => !Number.isFinite(n) || n < 0)) return null
  return parts.reduce((sum, n) => sum * 60 + n, 0)
}

const parseTime = (text: string): number | null => {
  const at = Date.parse(text.trim())
  return Number.isFinite(at) ? at : null
}

const isMedia = ({ type = "", url = "", href = "" }: Readonly<Record<string, string>>): boolean =>
  /^(audio|video)\//i.test(type) ||
  (type === "" && /\.(mp3|m4a|aac|ogg|opus|wav|flac|mp4|webm)(\?|$)/i.test(url || href))

const ITEM_ELEMENTS = new Set(["item", "entry"])
const ITEM_FIELDS = new Set(["title", "pubDate", "published", "updated", "itunes:duration"])

/**
 * Parses RSS 2.0 and Atom in one pass. Ignores document types and custom entities, so nothing is fetched or expanded. Skips
 * episodes without media and resolves URLs against `base`. Returns null if the document is not a feed.
 */
export const parseFeed = (xml: string, base: string): ParsedFeed | null => {
  let isFeed = false
  let title = ""
  let item: { fields: Map<string, string>; url: string | null } | null = null
  const path: string[] = []
  const episodes: FeedEpisode[] = []
  const mediaUrl = (name: string, attributes: Readonly<Record<string, string>>): string | undefined => {
    if (name === "enclosure" && isMedia(attributes)) return attributes.url
    if (name === "link" && attributes.rel === "enclosure" && isMedia(attributes)) return attributes.href
    if (name === "media:content" && isMedia(attributes)) return attributes.url
    return undefined
  }
  const close = ({ fields, url }: NonNullable<typeof item>): void => {
    if (url === null || !URL.canParse(url, base)) return
    const { href, protocol } = new URL(url, base)
    if (protocol !== "http:" && protocol !== "https:") return
    episodes.push({
      title:
        cleanName(fields.get("title") ?? "").slice(0, MAX_CLIP_TITLE_CHARS) || defaultTitle({ kind: "url", url: href }),
      url: href,
      publishedAt: parseTime(fields.get("pubDate") ?? fields.get("published") ?? fields.get("updated") ?? ""),
      duration_s: parseDuration(fields.get("itunes:duration") ?? ""),
    })
  }
  try {
    readXml(xml, {
      open: (name, attributes) => {
        path.push(name)
        if (name === "rss" || name === "feed" || name === "rdf:RDF") isFeed = true
        if (ITEM_ELEMENTS.has(name)) item = { fields: new Map(), url: null }
        if (item) item.url ??= mediaUrl(name, attributes) ?? null
      },
      text: (text) => {
        const name = path.at(-1) ?? ""
        const isItem = item !== null && ITEM_ELEMENTS.has(path.at(-2) ?? "")
        if (isItem && ITEM_FIELDS.has(name)) item!.fields.set(name, (item!.fields.get(name) ?? "") + text)
        else if (item === null && name === "title" && ["channel", "feed"].includes(path.at(-2) ?? "")) title += text
      },
      close: (name) => {
        path.pop()
        if (ITEM_ELEMENTS.has(name) && item) {
          close(item)
          item = null
        }
      },
    })
  } catch (error) {
    // The document is nested too deeply to be a feed.
    if (error instanceof AppError) return null
    throw error
  }
  return isFeed ? { title: cleanName(title).slice(0, MAX_CLIP_TITLE_CHARS), episodes } : null
}

/**
 * Fetches a podcast feed and returns its episodes in the feed's order.
 * @throws AppError `invalid` if the URL is not a feed, and the errors of `guardedFetch`
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
  throw new AppError("invalid", `${address} is not a podcast feed. Use the URL of its RSS or Atom file.`)
}
