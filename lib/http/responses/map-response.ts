import { vizData as contract, type VizData } from "../../domain/map.ts"
import { type VizDataAnswer, vizData, vizEtag } from "../../services/map/map-data.ts"
import type { HttpDeps } from "../container.ts"
import { describeIssues } from "../validation.ts"
import { etagResponse, matchesTag } from "./etag-response.ts"

/** The text of a body that the service keeps: checked and written once, not at each request. */
const texts = new WeakMap<VizData, string>()

const textOf = ({ body }: VizDataAnswer): string => {
  const known = texts.get(body)
  if (known !== undefined) return known
  const checked = contract.safeParse(body)
  if (!checked.success)
    throw new Error(`the map breaks its contract at ${describeIssues(checked.error.issues, "the map")}`)
  const text = JSON.stringify(checked.data)
  texts.set(body, text)
  return text
}

/** The map under its tag. A caller that has it already costs two look-ups: nothing is computed for the 304. */
export const mapAnswer = async (
  deps: HttpDeps,
  { request, query }: { readonly request: Request; readonly query: { readonly distance_threshold: number } },
): Promise<Response> => {
  const type = "application/json"
  const given = request.headers.get("if-none-match")
  const etag = given === null ? null : await vizEtag(deps, query)
  if (etag !== null && matchesTag(given, etag)) return etagResponse(request, { body: "", etag, type })
  const answer = await vizData(deps, query)
  return etagResponse(request, { body: textOf(answer), etag: answer.etag, type })
}
