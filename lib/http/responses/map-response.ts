import { Readable } from "node:stream"
import { getVizData, getVizEtag, type VizDataQuery } from "../../services/map/map-data.ts"
import type { HttpDeps } from "../container.ts"
import { etagResponse, matchesEtag } from "./etag-response.ts"
import { toMapJson } from "./map-json.ts"

type MapRequest = {
  readonly request: Request
  readonly query: VizDataQuery
  readonly fields: readonly string[] | undefined
}

/** Returns the map with an ETag. A 304 needs two lookups and computes nothing. */
export const mapResponse = async (deps: HttpDeps, { request, query, fields }: MapRequest): Promise<Response> => {
  const type = "application/json"
  const ifNoneMatch = request.headers.get("if-none-match")
  const etag = ifNoneMatch === null ? null : await getVizEtag(deps, query)
  if (etag !== null && matchesEtag(ifNoneMatch, etag)) return etagResponse(request, { body: "", etag, type })
  const answer = await getVizData(deps, query)
  const json = await toMapJson(answer, fields)
  const body = Readable.toWeb(Readable.from(json.parts(), { objectMode: false })) as ReadableStream
  return etagResponse(request, { body, byteLength: json.byteLength, etag: answer.etag, type })
}
