import * as z from "zod"
import { searchResult, vizData } from "../domain/map.ts"
import type { Endpoints } from "./endpoint.ts"

const vizDataQuery = z.object({
  distance_threshold: z.coerce
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("The cosine distance at which clusters are cut. Without it, the service chooses one"),
})

const vizSearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(512)
    .describe("What to search for")
    .meta({ examples: ["keeping bees"] }),
  top_k: z.coerce.number().int().min(1).max(100).default(10).describe("The maximum number of results"),
})
export type VizSearchQuery = z.infer<typeof vizSearchQuery>

/** `path` is a list of segments. */
const vizAssetParams = z.object({
  path: z.array(z.string()).min(1).describe("The path of the file below `/viz-assets`"),
})

export const searchResults = z.array(searchResult)

export const mapEndpoints = {
  vizData: {
    method: "GET",
    path: "/viz/data",
    scope: "read",
    summary: "Returns the map: points, edges and clusters. Answers 304 if `If-None-Match` has the current ETag",
    call: "vizData",
    partOf: "rag",
    query: vizDataQuery,
    response: { name: "VizData", schema: vizData },
    fieldsOf: "response",
    headers: ["ETag"],
    otherStatuses: { 304: { description: "Not modified", headers: ["ETag"] } },
    errors: [503],
  },
  vizSearch: {
    method: "GET",
    path: "/viz/search",
    scope: "read",
    summary: "Searches topics by what is said in them, best match first",
    call: "vizSearch",
    partOf: "rag",
    query: vizSearchQuery,
    response: { name: "SearchResults", schema: searchResults },
    errors: [503],
  },
  vizAsset: {
    method: "GET",
    path: "/viz-assets/{path}",
    scope: "read",
    summary: "Returns a file of the map page. `manifest.json` lists all of them",
    partOf: "rag",
    params: vizAssetParams,
    types: ["*/*"],
    headers: ["ETag"],
    otherStatuses: { 304: { description: "Not modified", headers: ["ETag"] } },
    errors: [400],
  },
} as const satisfies Endpoints
