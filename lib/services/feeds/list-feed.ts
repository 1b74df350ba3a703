import type { FeedQuery } from "../../api/feeds.ts"
import { AppError } from "../../domain/errors.ts"
import type { Feed } from "../../domain/feeds.ts"
import { fetchFeed } from "../../sources/feed.ts"
import { identify } from "../../sources/identity.ts"
import type { Deps } from "../deps.ts"

/**
 * Returns the episodes of a podcast with the IDs of the clips that jobs for them create. Omits episodes that no job can fetch.
 * @throws AppError `invalid` if the URL is not a feed, and the errors of the SSRF-safe fetch
 */
export const listFeed = async (
  { config }: Pick<Deps, "config">,
  { url, limit }: FeedQuery,
  signal: AbortSignal,
): Promise<Feed> => {
  const { title, episodes } = await fetchFeed(url, config.fetch, signal)
  const usable = episodes.flatMap((episode) => {
    const sessionId = findSessionId(episode.url, config.roots)
    return sessionId === null ? [] : [{ ...episode, sessionId }]
  })
  return {
    title,
    total: usable.length,
    episodes: usable.slice(0, limit).map((e) => ({
      title: e.title,
      url: e.url,
      published_at: e.publishedAt === null ? null : new Date(e.publishedAt).toISOString(),
      duration_s: e.duration_s,
      session_id: e.sessionId,
    })),
  }
}

/** Returns the clip ID of an episode, or null if no job can fetch its URL, such as one with a password. */
const findSessionId = (url: string, roots: readonly string[]): string | null => {
  try {
    return identify(url, { roots, cwd: process.cwd() }).sessionId
  } catch (error) {
    if (AppError.is(error)) return null
    throw error
  }
}
