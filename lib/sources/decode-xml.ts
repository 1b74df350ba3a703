const MARKS: readonly (readonly [first: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
]
/** A document in UTF-16 without a mark, told by its first letters. */
const UNMARKED: typeof MARKS = [
  [[0x3c, 0, 0x3f, 0], "utf-16le"],
  [[0, 0x3c, 0, 0x3f], "utf-16be"],
]
/** A declaration stands at the very beginning. */
const DECLARATION_BYTES = 256

const begins = (bytes: Uint8Array, all: typeof MARKS): string | undefined =>
  all.find(([first]) => first.every((byte, i) => bytes[i] === byte))?.[1]

const decoderFor = (label: string | undefined): TextDecoder | null => {
  if (label === undefined) return null
  try {
    return new TextDecoder(label)
  } catch {
    // A name that nobody knows says nothing.
    return null
  }
}

/**
 * The text of an XML document, in the order of RFC 7303: its byte-order mark, the charset of its content type, what it
 * declares itself, else UTF-8.
 */
export const decodeXml = (bytes: Uint8Array, contentType = ""): string => {
  const marked = begins(bytes, MARKS)
  if (marked) return new TextDecoder(marked).decode(bytes)
  const sent = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]
  const head = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString("latin1")
  const declared = begins(bytes, UNMARKED) ?? /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(head)?.[1]
  return (decoderFor(sent) ?? decoderFor(declared) ?? new TextDecoder()).decode(bytes)
}
