import { oneLine } from "./clip-text.ts"

/** Escapes Markdown punctuation (CommonMark 2.4), including characters that are special only at the start of a line. */
export const escapeMarkdown = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_{}[\]<>()#|~&!$]/g, "\\$&")
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d+)\./, "$1\\.")
