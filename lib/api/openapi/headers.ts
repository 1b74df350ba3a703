import type { Json } from "./json.ts"

/** The headers of responses that a caller may want to read. */
const HEADERS = {
  "X-Request-Id": {
    description: "The ID of the request, as in the log of the service. A plain ID that you send is kept",
    example: "01a1f2c0-5f3a-7c1e-8a55-3f1d2b9e7a10",
  },
  "Earmark-Warnings": {
    description: "Unknown fields and query parameters of the request, which were ignored",
    example: "unknown field 'titel' ignored; did you mean 'title'?",
  },
  ETag: {
    description: "The version of the content. Send it as `If-None-Match` to get 304 while nothing has changed",
    example: '"1k9-2f3a"',
  },
  "Last-Modified": { description: "When the file last changed", example: "Mon, 23 Nov 2026 10:00:00 GMT" },
  "Accept-Ranges": { description: "Ranges of bytes can be requested", example: "bytes" },
  "Content-Range": {
    description: "The position of the returned bytes, or the size of the file",
    example: "bytes 0-99/4096",
  },
  "Content-Disposition": {
    description: "The name of the file",
    example: "attachment; filename=\"Keynote.srt\"; filename*=UTF-8''Keynote.srt",
  },
  "Idempotent-Replayed": {
    description: "Present if this is the answer to an earlier request with the same `Idempotency-Key`",
    example: "true",
  },
  Location: {
    description: "Where to find what the request created, or the requested file",
    example: "https://storage.example/talk.mp3",
  },
  "Tus-Resumable": { description: "The version of the tus protocol", example: "1.0.0" },
  "Upload-Offset": { description: "The number of bytes that are stored", example: "16777216", type: "integer" },
  "Upload-Length": { description: "The size of the file in bytes", example: "314572800", type: "integer" },
  "Upload-Metadata": { description: "The metadata as it was sent", example: "filename dGFsay5tcDM=" },
  "Upload-Expires": {
    description: "When the upload is deleted, unless another part arrives",
    example: "Tue, 24 Nov 2026 10:00:00 GMT",
  },
  Allow: { description: "The methods of the path", example: "GET, HEAD, OPTIONS" },
  "Retry-After": { description: "The number of seconds after which to try again", example: "60", type: "integer" },
  "WWW-Authenticate": { description: "How to authenticate", example: "Bearer" },
} as const satisfies Record<string, { description: string; example: string; type?: string }>
export type HeaderName = keyof typeof HEADERS

/** Headers that every response of the API can have. */
const GENERAL: readonly HeaderName[] = ["X-Request-Id", "Earmark-Warnings"]

/** Returns the headers of a response: the given ones, and those that every response can have. */
export const describeHeaders = (names: readonly HeaderName[] = []): Json =>
  Object.fromEntries([...names, ...GENERAL].map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Returns all headers by name. */
export const describeAllHeaders = (): Json =>
  Object.fromEntries(
    Object.entries<{ description: string; example: string; type?: string }>(HEADERS).map(
      ([name, { description, example, type = "string" }]) => [
        name,
        { description, schema: { type }, example: type === "integer" ? Number(example) : example },
      ],
    ),
  )
