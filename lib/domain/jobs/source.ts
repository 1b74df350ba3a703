import { basename } from "node:path"
import { plainName } from "../schemas.ts"

/** The source of a recording, as given at submission. */
export type SourceRef =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "upload"; readonly path: string; readonly name: string }
  | { readonly kind: "youtube" | "url"; readonly url: string }

const ENDING = /\.[a-z0-9]{2,5}$/i

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The name of the file that an address leads to; the address itself where it ends in none (`/stream?id=7`). */
const nameInAddress = (address: string): string => {
  const last = plainName(decoded(new URL(address).pathname.split("/").at(-1) ?? ""))
  return ENDING.test(last) ? last : address
}

/** What people know a recording by before anything of it was read: its file's own name, not where it lies. */
export const titleOf = (ref: SourceRef): string => {
  if (ref.kind === "file") return basename(ref.path)
  if (ref.kind === "upload") return ref.name
  return ref.kind === "url" ? nameInAddress(ref.url) : ref.url
}

/** The file name that an answer gives itself (RFC 6266), without folders; null where it gives none. */
export const nameInHeader = (disposition: string | undefined): string | null => {
  const parameter = (pattern: RegExp) => pattern.exec(disposition ?? "")?.[1]
  const encoded = parameter(/;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i)
  const quoted = parameter(/;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i)?.replace(/\\(.)/g, "$1")
  const given = encoded === undefined ? (quoted ?? parameter(/;\s*filename\s*=\s*([^;\s"]+)/i)) : decoded(encoded)
  return plainName(given?.split(/[/\\]/).at(-1) ?? "") || null
}
