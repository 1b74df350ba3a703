/** The source of a new job: a URL or a path, with an optional title. */
export type Source = { readonly source: string; readonly title?: string }

/** Splits pasted text into one source per line, without duplicates. */
export const parseSources = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

/** Matches a URL (for YouTube also without its scheme) or an absolute path. */
const SOURCE = /^([a-z][a-z0-9+.-]+:(?!\s)|(www\.|m\.|music\.)?(youtube\.com|youtu\.be)\/|\/|~\/)/i

/**
 * Returns an error message if a line is obviously no source, otherwise null. The service checks the rest. Relative paths,
 * which the service would resolve against its working directory, are rejected here because nobody means them in a browser.
 */
export const getSourceError = (line: string): string | null =>
  SOURCE.test(line)
    ? null
    : "Enter a URL that starts with https://, or an absolute path on the Earmark server that starts with /."
