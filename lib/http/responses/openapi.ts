import { createHash } from "node:crypto"
import { openApiText } from "../../api/openapi/document.ts"
import type { EtagContent } from "./etag-response.ts"

let content: EtagContent | undefined

/** Returns the OpenAPI document with its ETag. Builds it on the first call. */
export const openApiContent = (): EtagContent => {
  if (content) return content
  const body = openApiText()
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`
  content = { body, etag, type: "application/json" }
  return content
}
