import type { IfMatch } from "../domain/clip-version.ts"

/** Returns the strong ETags of the header If-Match, which weak ones never match (RFC 9110, 13.1.1). Quotes may be missing. */
export const readIfMatch = ({ headers }: Request): IfMatch | undefined => {
  const given = headers.get("if-match")?.trim()
  if (given === undefined || given === "*") return given
  if (!given.includes('"')) return [`"${given}"`]
  return [...given.matchAll(/(W\/)?("[^"]*")/g)].flatMap(([, weak, etag]) => (weak ? [] : [etag!]))
}
