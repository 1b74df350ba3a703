import { type Endpoint, takesIdempotencyKey } from "./endpoint.ts"

type Json = Record<string, unknown>

/** Returns the headers of a request that the endpoint reads, as OpenAPI parameters. */
export const describeRequestHeaders = (endpoint: Endpoint): Json[] =>
  takesIdempotencyKey(endpoint)
    ? [
        {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description:
            "A key of your choice for this request. Repeat the request with the same key if you get no answer: it runs once, and each repetition within 24 hours gets the same answer",
          schema: { type: "string", minLength: 1, maxLength: 255 },
          example: "0199c0de-5f3a-7c1e-8a55-3f1d2b9e7a10",
        },
      ]
    : []

/** Returns the headers of a successful response as an OpenAPI object with the property `headers`, or an empty object. */
export const describeResponseHeaders = (endpoint: Endpoint): Json => {
  const { location } = endpoint
  const headers = {
    ...(location && {
      Location: { description: `Path of what the request created: \`${location}\``, schema: { type: "string" } },
    }),
    ...(takesIdempotencyKey(endpoint) && {
      "Idempotent-Replayed": {
        description: "Present if this is the answer to an earlier request with the same `Idempotency-Key`",
        schema: { type: "string", const: "true" },
      },
    }),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}
