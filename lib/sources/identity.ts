import { homedir } from "node:os"
import { resolve } from "node:path"
import { AppError } from "../domain/errors.ts"
import { uuid5 } from "../domain/ids.ts"
import type { SourceRef } from "../domain/jobs/source.ts"
import { isInside, outsideRoots } from "../platform/files/roots.ts"
import { isYouTube, youTubeAddress, youTubeId } from "./youtube.ts"

export type Identity = {
  /** UUID v5: the clip's id. */
  readonly sessionId: string
  readonly ref: SourceRef
}

export type IdentityContext = {
  /** Absolute folders in which local paths must lie. */
  readonly roots: readonly string[]
  /** Absolute folder against which relative paths are resolved. */
  readonly cwd: string
}

const WEB = /^https?:/i
/** Any `scheme://`, and the schemes that need no slashes. One letter is a drive, not a scheme. */
const OTHER_SCHEME =
  /^([a-z][a-z0-9+.-]+):\/\/|^(about|blob|data|file|ftp|ftps|gopher|jar|javascript|mailto|sftp|vbscript|view-source|ws|wss):/i
/** What people type without a scheme; no host but YouTube's is guessed. */
const BARE_YOUTUBE = /^(?:(?:www\.|m\.|music\.)?youtube\.com|(?:www\.)?youtu\.be)\//i
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_OR_SPACE = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029]/

const invalid = (message: string): AppError => new AppError("invalid", `source: ${message}`)

const identifyAddress = (source: string): Identity => {
  if (CONTROL_OR_SPACE.test(source)) throw invalid("an address holds no spaces or control characters")
  let url: URL
  try {
    url = new URL(source)
  } catch (cause) {
    throw new AppError("invalid", "source: this is not a valid web address; it should look like https://host/file", {
      cause,
    })
  }
  if (url.username || url.password)
    throw invalid("an address with a user name or password in it is not accepted; give one without")
  if (!isYouTube(url)) return { sessionId: uuid5(url.href), ref: { kind: "url", url: url.href } }
  const id = youTubeId(url)
  if (id === null)
    throw invalid(
      "this YouTube address names no single video; it should look like https://www.youtube.com/watch?v= followed by 11 characters",
    )
  const address = youTubeAddress(id)
  return { sessionId: uuid5(address), ref: { kind: "youtube", url: address } }
}

const identifyPath = (source: string, { roots, cwd }: IdentityContext): Identity => {
  if (source.includes("\0")) throw invalid("a path holds no NUL character")
  const path = resolve(cwd, source.replace(/^~(?=$|\/)/, homedir()))
  if (!isInside(roots, path)) throw outsideRoots(path, roots)
  return { sessionId: uuid5(path), ref: { kind: "file", path } }
}

/**
 * Tells what a source is and which clip it belongs to, by its letters alone: nothing is opened, resolved or fetched.
 * A YouTube address in any form counts as its canonical watch address, another http(s) address as itself (normalised
 * as WHATWG URL does), everything else as a path.
 * @throws AppError `invalid` for an address that cannot be used, `forbidden` for a path outside the roots.
 */
export const identify = (source: string, context: IdentityContext): Identity => {
  const text = source.trim()
  if (text === "") throw invalid("give an address or the path of a recording")
  if (WEB.test(text)) return identifyAddress(text)
  if (BARE_YOUTUBE.test(text)) return identifyAddress(`https://${text}`)
  const scheme = OTHER_SCHEME.exec(text)
  if (scheme)
    throw invalid(
      `addresses of the kind '${(scheme[1] ?? scheme[2] ?? "").toLowerCase()}:' are not accepted; give an http or https address, or a path`,
    )
  return identifyPath(text, context)
}

/** The identity of uploaded bytes: the same file is the same clip, whatever its name. `hex` is their sha256. */
export const sessionIdOfUpload = (hex: string): string => uuid5(`sha256:${hex.toLowerCase()}`)
