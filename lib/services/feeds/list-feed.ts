import type { FeedQuery } from "../../api/feeds.ts"
import type { Feed } from "../../domain/feeds.ts"
import { fetchFeed } from "../../sources/feed.ts"
import { identify } from "../../sources/identity.ts"
import type { Deps } from "../deps.ts"

/**
 * Returns the episodes of a podcast with the IDs of the clips that jobs for them create.
 * @throws AppError `invalid` if the URL is not a feed, and the errors of the SSRF-safe fetch
 */
export const listFeed = async (
  { config }: Pick<Deps, "config">,
  { url, limit }: FeedQuery,
  signal: AbortSignal,
): Promise<Feed> => {
  const { title, episodes } = await fetchFeed(url, config.fetch, signal)
  return {
    title,
    total: episodes.length,
    episodes: episodes.slice(0, limit).map((e) => ({
      title: e.title,
      url: e.url,
      published_at: e.publishedAt === null ? null : new Date(e.publishedAt).toISOString(),
      duration_s: e.duration_s,
      session_id: identify(e.url, { roots: config.roots, cwd: process.cwd() }).sessionId,
    })),
  }
}
