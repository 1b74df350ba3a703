import { type Endpoint, takesIdempotencyKey } from "../endpoint.ts"
import type { Json } from "./json.ts"

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
