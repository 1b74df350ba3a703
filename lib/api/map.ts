import * as z from "zod"
import { searchResult, vizData } from "../domain/map.ts"
import type { Endpoints } from "./endpoint.ts"

/** `distance_threshold` is a cosine distance. Without it, the service chooses one that gives a number of clusters which a person can survey. */
const vizDataQuery = z.object({ distance_threshold: z.coerce.number().min(0).max(2).optional() })

const vizSearchQuery = z.object({
  q: z.string().min(1).max(512),
  top_k: z.coerce.number().int().min(1).max(100).default(10),
})
export type VizSearchQuery = z.infer<typeof vizSearchQuery>

/** `path` is the path below `/viz-assets` as a list of segments. */
const vizAssetParams = z.object({ path: z.array(z.string().max(200)).min(1).max(10) })

export const searchResults = z.array(searchResult)

export const mapEndpoints = {
  vizData: {
    method: "GET",
    path: "/viz/data",
    summary: "Returns the map: points, edges and clusters. Answers 304 if `If-None-Match` has the current ETag",
    call: "vizData",
    partOf: "rag",
    query: vizDataQuery,
    response: { name: "VizData", schema: vizData },
    otherStatuses: { 304: { description: "Not modified" } },
    errors: [503],
  },
  vizSearch: {
    method: "GET",
    path: "/viz/search",
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
    summary: "Returns a file of the map page. `manifest.json` lists all of them",
    partOf: "rag",
    params: vizAssetParams,
    type: "application/octet-stream",
    errors: [400],
  },
} as const satisfies Endpoints
