import type { IncomingMessage } from "node:http"
import { prefersHtml } from "./error-responses.ts"

/** The header by which the server tells Next.js that a request is for a page. next.config.ts names it, too. */
const PAGE_HEADER = "x-earmark-page"

/**
 * Marks a request for a page, where an address has both a page and JSON: `/documents` and `/documents/{id}`. A browser that
 * opens an address prefers HTML, and a link within the pages asks for React's format.
 */
export const markPageRequest = ({ method, headers }: Pick<IncomingMessage, "method" | "headers">): void => {
  delete headers[PAGE_HEADER]
  const isRead = method === "GET" || method === "HEAD"
  if (isRead && (headers.rsc === "1" || prefersHtml(headers.accept))) headers[PAGE_HEADER] = "1"
}
