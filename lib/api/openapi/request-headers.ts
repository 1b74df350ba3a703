import { type Endpoint, hasEtag, takesIdempotencyKey, takesIfMatch } from "../endpoint.ts"
import type { Json } from "./json.ts"

const headerOf = (name: string, description: string, example: string, schema: Json = {}): Json => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", ...schema },
  example,
})

const ETAG = '"mix9k2o0-n2.s0.w1.t5"'

/** Returns the headers of a request that the endpoint reads, as OpenAPI parameters. */
export const describeRequestHeaders = (endpoint: Endpoint): Json[] => [
  ...(endpoint.requestHeaders ?? []).map(({ name, description, example, isRequired = false }) => ({
    ...headerOf(name, description, example),
    required: isRequired,
  })),
  ...(takesIdempotencyKey(endpoint)
    ? [
        headerOf(
          "Idempotency-Key",
          "A key of your choice for this request. Repeat the request with the same key if you get no answer: it runs once, and each repetition within 24 hours gets the same answer",
          "0199c0de-5f3a-7c1e-8a55-3f1d2b9e7a10",
          { minLength: 1, maxLength: 255 },
        ),
      ]
    : []),
  ...(takesIfMatch(endpoint)
    ? [
        headerOf(
          "If-Match",
          "The ETag of what you have read. The request fails with 412 if that has changed since. `*` is any version",
          ETAG,
        ),
      ]
    : []),
  ...(hasEtag(endpoint)
    ? [
        headerOf(
          "If-None-Match",
          "The ETag of what you have. The response is 304 without a body if it is current",
          ETAG,
        ),
      ]
    : []),
]
