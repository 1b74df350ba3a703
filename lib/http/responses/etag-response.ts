/** Whether an If-None-Match list holds the tag (RFC 9110, 13.1.2: weak comparison). */
export const matchesTag = (ifNoneMatch: string | null, etag: string): boolean => {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === "*") return true
  const bare = (tag: string) => tag.trim().replace(/^W\//, "")
  return ifNoneMatch.split(",").some((tag) => bare(tag) === bare(etag))
}

export type Tagged = {
  readonly body: BodyInit
  readonly etag: string
  readonly type: string
  readonly immutable?: boolean
}

/** An answer under a tag: 304 without a body when the caller has it already. */
export const etagResponse = (request: Request, { body, etag, type, immutable }: Tagged): Response => {
  const headers = { etag, "cache-control": immutable ? "public, max-age=31536000, immutable" : "no-cache" }
  if (matchesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, "content-type": type } })
}
