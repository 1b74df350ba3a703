const MAX = 100
/** Names that Windows keeps for devices, whatever their ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** A name under which any system can keep a file: nothing invisible, no separators, no device. Never empty. */
export const safeFileName = (title: string): string => {
  const name = [
    ...title
      .normalize("NFC")
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, " ")
      .replace(/[/\\:*?"<>|%;]/g, "-")
      .replace(/\s+/g, " "),
  ]
    .slice(0, MAX)
    .join("")
    .replace(/^[\s.-]+|[\s.-]+$/g, "")
  if (name === "") return "clip"
  return DEVICE.test(name) ? `_${name}` : name
}

/** The header that saves an answer under a name (RFC 6266): plain letters for old programs, the real name for all others. */
export const attachment = (name: string): string => {
  const plain =
    name
      .normalize("NFKD")
      .replace(/[^\x20-\x7e]/g, "")
      .replace(/["\\]/g, "") || "clip"
  const full = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`
}
