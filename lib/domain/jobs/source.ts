import { basename } from "node:path"
import { cleanName } from "../schemas.ts"

/** The source of a recording, as submitted. */
export type SourceRef =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "upload"; readonly path: string; readonly name: string }
  | { readonly kind: "youtube" | "url"; readonly url: string }
  /** A recording that exists only as the transcript that the caller supplies. */
  | { readonly kind: "name"; readonly name: string }

const FILE_EXTENSION = /\.[a-z0-9]{2,5}$/i

const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the file name in a URL, or the URL itself if its path ends in none (`/stream?id=7`). */
const fileNameInUrl = (url: string): string => {
  const last = cleanName(decodePercent(new URL(url).pathname.split("/").at(-1) ?? ""))
  return FILE_EXTENSION.test(last) ? last : url
}

/** Returns the title of a recording before it is read: its file name without the folder. */
export const defaultTitle = (ref: SourceRef): string => {
  if (ref.kind === "file") return basename(ref.path)
  if (ref.kind === "upload" || ref.kind === "name") return ref.name
  return ref.kind === "url" ? fileNameInUrl(ref.url) : ref.url
}

/** Returns the file name of a Content-Disposition header (RFC 6266) without folders, or null if it has none. */
export const parseContentDispositionName = (disposition: string | undefined): string | null => {
  const parameter = (pattern: RegExp) => pattern.exec(disposition ?? "")?.[1]
  const encoded = parameter(/;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i)
  const quoted = parameter(/;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i)?.replace(/\\(.)/g, "$1")
  const given = encoded === undefined ? (quoted ?? parameter(/;\s*filename\s*=\s*([^;\s"]+)/i)) : decodePercent(encoded)
  return cleanName(given?.split(/[/\\]/).at(-1) ?? "") || null
}
