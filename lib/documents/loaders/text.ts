import { decodeBytes } from "../../platform/decode-bytes.ts"
import { createDocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"

const MAX_TITLE_CHARS = 160

const BYTE_ORDER_MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
]

const decode = (bytes: Uint8Array): string => {
  const encoding = BYTE_ORDER_MARKS.find(([mark]) => mark.every((b, i) => bytes[i] === b))?.[1]
  if (encoding) return decodeBytes(bytes, encoding)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    // The most common legacy encoding.
    return decodeBytes(bytes, "windows-1252")
  }
}

/**
 * Decodes text by its byte-order mark, otherwise as UTF-8, otherwise as Windows-1252. Normalizes line ends to \n and replaces
 * control characters by spaces.
 */
export const decodeText = (bytes: Uint8Array): string =>
  decode(bytes)
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: replaces control characters
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ")
    .replace(/\p{Surrogate}/gu, "\ufffd")

/** Loads plain text. A short first line that is followed by an empty line is the title. */
export const loadText: Loader = (bytes) => {
  const text = decodeText(bytes)
  const first = /^\s*(\S[^\n]*)\n[ \t]*\n/.exec(text)?.[1]?.trim()
  const document = createDocumentBuilder()
  if (first && first.length <= MAX_TITLE_CHARS) document.setTitle(first)
  document.add({ text })
  return document.build()
}
