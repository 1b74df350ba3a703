import { homedir } from "node:os"
import { basename, resolve } from "node:path"
import { AppError } from "../domain/errors.ts"
import { uuid5 } from "../domain/ids.ts"
import type { SourceRef } from "../domain/jobs/source.ts"
import { cleanName } from "../domain/schemas.ts"
import { isInside, outsideRoots } from "../platform/files/roots.ts"
import { isYouTube, youTubeId, youTubeUrl } from "./youtube.ts"

export type Identity = {
  /** The clip ID, a UUID v5. */
  readonly sessionId: string
  readonly ref: SourceRef
}

export type IdentityContext = {
  /** Absolute folders that local paths must be inside. */
  readonly roots: readonly string[]
  /** True if the caller supplies the words, so that a path is only a name and may be anywhere. */
  readonly hasTranscript?: boolean
  /** Absolute base folder of relative paths. */
  readonly cwd: string
}

const HTTP_URL = /^https?:/i
/** Any `scheme://`, and schemes without slashes. A single letter is a drive, not a scheme. */
const OTHER_SCHEME =
  /^([a-z][a-z0-9+.-]+):\/\/|^(about|blob|data|file|ftp|ftps|gopher|jar|javascript|mailto|sftp|vbscript|view-source|ws|wss):/i
/** A YouTube URL without a scheme. */
const BARE_YOUTUBE = /^(?:(?:www\.|m\.|music\.)?youtube\.com|(?:www\.)?youtu\.be)\//i
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029]/

/** Names a recording without any folder. */
const NAME_PREFIX = "name:"

const invalid = (message: string): AppError => new AppError("invalid", `source: ${message}`)

const identifyUrl = (source: string): Identity => {
  if (CONTROL_OR_SPACE.test(source)) throw invalid("a URL must not contain spaces or control characters")
  let url: URL
  try {
    url = new URL(source)
  } catch (cause) {
    throw new AppError("invalid", "source: not a valid URL; it should look like https://host/file", {
      cause,
    })
  }
  if (url.username || url.password) throw invalid("URLs with a user name or password are not accepted")
  if (!isYouTube(url)) return { sessionId: uuid5(url.href), ref: { kind: "url", url: url.href } }
  const id = youTubeId(url)
  if (id === null)
    throw invalid(
      "this YouTube URL does not name a single video; it should look like https://www.youtube.com/watch?v= followed by 11 characters",
    )
  const address = youTubeUrl(id)
  return { sessionId: uuid5(address), ref: { kind: "youtube", url: address } }
}

const identifyName = (source: string): Identity => {
  const name = cleanName(source.slice(NAME_PREFIX.length))
  if (name === "") throw invalid("the name is empty; it should look like name:crm-17")
  return { sessionId: uuid5(source), ref: { kind: "name", name } }
}

const identifyPath = (source: string, { roots, cwd, hasTranscript = false }: IdentityContext): Identity => {
  if (source.includes("\0")) throw invalid("a path must not contain a NUL character")
  const path = resolve(cwd, source.replace(/^~(?=$|\/)/, homedir()))
  if (!isInside(roots, path)) {
    if (hasTranscript) return { sessionId: uuid5(path), ref: { kind: "name", name: basename(path) || path } }
    throw outsideRoots(path, roots)
  }
  return { sessionId: uuid5(path), ref: { kind: "file", path } }
}

/**
 * Identifies a source and its clip from the text alone, without file or network access. Any form of a YouTube URL counts as
 * its canonical watch URL, another http(s) URL as itself (normalized as by WHATWG URL), `name:` and a name as these
 * letters, everything else as a path.
 * @throws AppError `invalid` for an unsupported URL, `forbidden` for a path outside the roots
 */
export const identify = (source: string, context: IdentityContext): Identity => {
  const text = source.trim()
  if (text === "") throw invalid("must be a URL or the path of a recording")
  if (HTTP_URL.test(text)) return identifyUrl(text)
  if (text.startsWith(NAME_PREFIX)) return identifyName(text)
  if (BARE_YOUTUBE.test(text)) return identifyUrl(`https://${text}`)
  const scheme = OTHER_SCHEME.exec(text)
  if (scheme)
    throw invalid(
      `'${(scheme[1] ?? scheme[2] ?? "").toLowerCase()}:' URLs are not accepted; use an http or https URL, or a path`,
    )
  return identifyPath(text, context)
}

/** Returns the clip ID of an upload: the same bytes are the same clip, whatever the file name. `hex` is their SHA-256. */
export const uploadSessionId = (hex: string): string => uuid5(`sha256:${hex.toLowerCase()}`)
