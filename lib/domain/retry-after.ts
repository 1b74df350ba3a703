/** Parses a Retry-After header (RFC 9110, 10.2.3), in seconds or as a date. Returns null if it is missing or invalid. */
export const parseRetryAfterMs = (header: string | undefined, now = Date.now()): number | null => {
  const value = header?.trim()
  if (!value) return null
  // Date.parse accepts almost any number.
  const date = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : date - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : null
}
