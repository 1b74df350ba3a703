import { trimEndOf } from "../text/trim-end.ts"

const MAX_NAME_CHARS = 100
/** Names that Windows reserves for devices, with any extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** Turns a title into a file name that is valid on every system, without invisible characters. Never empty. */
export const safeFileName = (title: string): string => {
  const plain = [
    ...title
      .normalize("NFC")
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, " ")
      .replace(/[/\\:*?"<>|%;]/g, "-")
      .replace(/\s+/g, " "),
  ]
    .slice(0, MAX_NAME_CHARS)
    .join("")
    .replace(/^[\s.-]+/, "")
  const name = trimEndOf(plain, /[\s.-]/)
  if (name === "") return "clip"
  return DEVICE_NAME.test(name) ? `_${name}` : name
}

/** Returns the Content-Disposition header for a download (RFC 6266), with an ASCII name for old clients. */
export const formatContentDisposition = (name: string): string => {
  const plain =
    name
      .normalize("NFKD")
      .replace(/[^\x20-\x7e]/g, "")
      // Full-width forms of separators are separators now.
      .replace(/["\\]/g, "")
      .replace(/[/:*?<>|%;]/g, "-")
      .replace(/^[\s.-]+/, "") || "clip"
  const full = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
