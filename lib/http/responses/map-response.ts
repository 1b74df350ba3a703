import { type VizData, vizData as vizDataSchema } from "../../domain/map.ts"
import { describeIssues } from "../../domain/parse-input.ts"
import { getVizData, getVizEtag, type VizDataAnswer, type VizDataQuery } from "../../services/map/map-data.ts"
import type { HttpDeps } from "../container.ts"
import { etagResponse, matchesEtag } from "./etag-response.ts"

/** The JSON of each map body. The service reuses bodies, so validating and serializing one per request would be waste. */
const cachedJson = new WeakMap<VizData, string>()

const toJson = ({ body }: VizDataAnswer): string => {
  const known = cachedJson.get(body)
  if (known !== undefined) return known
  const checked = vizDataSchema.safeParse(body)
  if (!checked.success)
    throw new Error(`the map does not match its schema: ${describeIssues(checked.error.issues, "the map")}`)
  const text = JSON.stringify(checked.data)
  cachedJson.set(body, text)
  return text
}

/** Returns the map with an ETag. A 304 needs two lookups and computes nothing. */
export const mapResponse = async (
  deps: HttpDeps,
  { request, query }: { readonly request: Request; readonly query: VizDataQuery },
): Promise<Response> => {
  const type = "application/json"
  const ifNoneMatch = request.headers.get("if-none-match")
  const etag = ifNoneMatch === null ? null : await getVizEtag(deps, query)
  if (etag !== null && matchesEtag(ifNoneMatch, etag)) return etagResponse(request, { body: "", etag, type })
  const answer = await getVizData(deps, query)
  return etagResponse(request, { body: toJson(answer), etag: answer.etag, type })
}
