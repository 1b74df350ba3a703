import fresh from "fresh"

/** Returns true if an If-None-Match header contains the ETag, or is `*`. Weak and strong ETags match (RFC 9110, 13.1.2). */
export const matchesEtag = (ifNoneMatch: string | null | undefined, etag: string): boolean =>
  fresh({ "if-none-match": ifNoneMatch ?? undefined }, { etag })

export type EtagContent = {
  readonly body: BodyInit
  readonly etag: string
  /** The content type. */
  readonly type: string
  /** True if the content at this URL never changes, so that clients need not ask again. */
  readonly immutable?: boolean
}

/** Returns a response with an ETag, or a 304 without a body if the client already has this version. */
export const etagResponse = (request: Request, { body, etag, type, immutable }: EtagContent): Response => {
  const headers = { etag, "cache-control": immutable ? "public, max-age=31536000, immutable" : "no-cache" }
  if (matchesEtag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, "content-type": type } })
}
