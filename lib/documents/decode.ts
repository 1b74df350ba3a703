const LABELS: readonly (readonly [mark: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
]

const read = (bytes: Uint8Array): string => {
  const marked = LABELS.find(([mark]) => mark.every((b, i) => bytes[i] === b))
  if (marked) return new TextDecoder(marked[1]).decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    // Text that is no UTF-8 comes from old systems of Western Europe more often than from anywhere else.
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** Bytes as text: by byte-order mark, else UTF-8, else Windows-1252. Line ends are \n; NUL and other controls are spaces. */
export const decodeText = (bytes: Uint8Array): string =>
  read(bytes)
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ")
    .replace(/\p{Surrogate}/gu, "\ufffd")
