import * as z from "zod"
import { feed } from "../domain/feeds.ts"
import type { Endpoints } from "./endpoint.ts"

export const feedQuery = z.object({
  url: z
    .string()
    .min(1)
    .max(4096)
    .describe("URL of an RSS or Atom feed")
    .meta({ examples: ["https://example.org/feed.xml"] }),
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe("The maximum number of episodes"),
})
export type FeedQuery = z.infer<typeof feedQuery>

export const feedEndpoints = {
  listFeed: {
    method: "GET",
    path: "/feeds",
    scope: "read",
    summary: "Lists the episodes of a podcast feed (RSS or Atom). An episode's `url` can be the `source` of a job",
    call: "feed",
    query: feedQuery,
    response: { name: "Feed", schema: feed },
    errors: [404, 413, 415, 503],
  },
} as const satisfies Endpoints
