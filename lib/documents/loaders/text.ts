import { decodeText } from "../decode.ts"
import type { Loader } from "../types.ts"

const MAX_TITLE = 160

/** Plain text. A short first line that stands alone is the title. */
export const loadText: Loader = (bytes) => {
  const text = decodeText(bytes)
  const first = /^\s*(\S[^\n]*)\n[ \t]*\n/.exec(text)?.[1]?.trim()
  return { ...(first && first.length <= MAX_TITLE ? { title: first } : {}), sections: [{ text }] }
}
