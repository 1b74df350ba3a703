import fresh from "fresh"
import { Reply } from "../route.ts"

/** Returns true if an If-None-Match header contains the ETag, or is `*`. Weak and strong ETags match (RFC 9110, 13.1.2). */
export const matchesEtag = (ifNoneMatch: string | null | undefined, etag: string): boolean =>
  fresh({ "if-none-match": ifNoneMatch ?? undefined }, { etag })

/** Clients may store the response, but must ask whether it is current. */
const REVALIDATE = { "cache-control": "private, no-cache" }

/**
 * Returns JSON with its ETag, or a 304 without reading it if the client already has this version. The ETag is read first: if
 * a change comes in between, the client has newer JSON than its ETag says, and asks again.
 */
export const ifChanged = async <T>(
  request: Request,
  getEtag: () => Promise<string>,
  read: () => Promise<T>,
): Promise<Reply<T> | Response> => {
  const headers = { etag: await getEtag(), ...REVALIDATE }
  if (matchesEtag(request.headers.get("if-none-match"), headers.etag))
    return new Response(null, { status: 304, headers })
  return new Reply(await read(), { headers })
}

export type EtagContent = {
  readonly body: BodyInit
  /** Only if the body is a stream, whose length would otherwise be unknown. */
  readonly byteLength?: number
  readonly etag: string
  /** The content type. */
  readonly type: string
  /** True if the content at this URL never changes, so that clients need not ask again. */
  readonly immutable?: boolean
}

/** Returns a response with an ETag, or a 304 without a body if the client already has this version. */
export const etagResponse = (request: Request, { body, byteLength, etag, type, immutable }: EtagContent): Response => {
  const headers = { etag, "cache-control": immutable ? "public, max-age=31536000, immutable" : "no-cache" }
  if (matchesEtag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers })
  const length = byteLength === undefined ? {} : { "content-length": String(byteLength) }
  return new Response(body, { headers: { ...headers, ...length, "content-type": type } })
}
