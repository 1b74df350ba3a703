import { decodeBytes } from "../platform/decode-bytes.ts"

const BYTE_ORDER_MARKS: readonly (readonly [first: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
]
/** The first bytes of `<?` in UTF-16 without a byte-order mark. */
const XML_DECLARATIONS_UTF16: typeof BYTE_ORDER_MARKS = [
  [[0x3c, 0, 0x3f, 0], "utf-16le"],
  [[0, 0x3c, 0, 0x3f], "utf-16be"],
]
/** The XML declaration is within this many bytes. */
const DECLARATION_BYTES = 256

const encodingByPrefix = (bytes: Uint8Array, all: typeof BYTE_ORDER_MARKS): string | undefined =>
  all.find(([first]) => first.every((byte, i) => bytes[i] === byte))?.[1]

/** Returns null for an unknown encoding. */
const decodeAs = (bytes: Uint8Array, encoding: string | undefined): string | null => {
  if (encoding === undefined) return null
  try {
    return decodeBytes(bytes, encoding)
  } catch {
    return null
  }
}

/**
 * Decodes an XML document. The encoding comes from the byte-order mark, the content type, or the XML declaration, in the
 * order of RFC 7303; the default is UTF-8.
 */
export const decodeXml = (bytes: Uint8Array, contentType = ""): string => {
  const byMark = encodingByPrefix(bytes, BYTE_ORDER_MARKS)
  if (byMark) return decodeBytes(bytes, byMark)
  const byHeader = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString("latin1")
  const declared =
    encodingByPrefix(bytes, XML_DECLARATIONS_UTF16) ?? /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(head)?.[1]
  return decodeAs(bytes, byHeader) ?? decodeAs(bytes, declared) ?? decodeBytes(bytes, "utf-8")
}
