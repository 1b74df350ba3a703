import { createHash } from "node:crypto"
import { openApiDocument, openApiText } from "../../api/openapi/document.ts"
import type { EtagContent } from "./etag-response.ts"

let made: EtagContent | undefined

/** The description of the interface, made at the first request. */
export const openApi = (): EtagContent => {
  if (made) return made
  const body = openApiText()
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`
  made = { body, etag, type: "application/json" }
  return made
}

/** The same for a page to show. */
export const openApiDescription = (): unknown => openApiDocument()
