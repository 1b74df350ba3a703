/** File systems limit names to 255 bytes. */
const MAX_FILE_NAME_BYTES = 200

/** Control characters, and those that change the direction of the text after them, which could disguise a name. */
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Shortens a text to a number of bytes in UTF-8, without splitting a character. */
const truncateToBytes = (text: string, maxBytes: number): string => {
  let bytes = 0
  let end = 0
  for (const char of text) {
    bytes += Buffer.byteLength(char)
    if (bytes > maxBytes) break
    end += char.length
  }
  return text.slice(0, end)
}

/** Shortens a file name and keeps its extension, which decides on the format. */
const shortenFileName = (name: string): string => {
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name
  const extension = /\.[^.\s]{1,20}$/.exec(name)?.[0] ?? ""
  const stem = name.slice(0, name.length - extension.length)
  return truncateToBytes(stem, MAX_FILE_NAME_BYTES - Buffer.byteLength(extension)) + extension
}

/**
 * Returns a file name for display: without folders and invisible characters, at most 200 bytes long, and never empty. It is
 * not safe as a path and never used as one.
 */
export const sanitizeFileName = (fileName: string | undefined): string => {
  const last = (fileName ?? "").split(/[/\\]/).at(-1) ?? ""
  const visible = shortenFileName(last.normalize("NFC").replace(HIDDEN_CHARACTERS, "").trim())
  return visible === "" || /^\.+$/.test(visible) ? "recording" : visible
}

const ENCODED_CHARACTERS: Readonly<Record<string, string>> = { "%22": '"', "%0A": "\n", "%0D": "\r" }

/** Decodes the three characters that browsers encode in the file name of a form, and no others. */
export const decodeFileName = (encoded: string | undefined): string | undefined =>
  encoded?.replace(/%(?:22|0A|0D)/gi, (code) => ENCODED_CHARACTERS[code.toUpperCase()]!)
