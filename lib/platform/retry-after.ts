/** Milliseconds that an answer asks to wait (RFC 9110, 10.2.3: seconds, or a date); null: it does not say. */
export const retryAfterMs = (header: string | undefined, now = Date.now()): number | null => {
  const value = header?.trim()
  if (!value) return null
  // Date.parse makes something of almost any number, too.
  const date = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : date - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : null
}
