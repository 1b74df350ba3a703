import { AppError } from "../errors.ts"
import type { WordSpan } from "../transcript/words.ts"

const formatSeconds = (seconds: number): string => String(Math.round(seconds * 100) / 100)

/**
 * Returns the word start nearest to `requested_s` that leaves at least one word on either side of the boundary.
 * @throws AppError `invalid`
 */
export const snapToWordStart = (
  words: readonly WordSpan[],
  requested_s: number,
  { low_s, high_s, field }: { readonly low_s: number; readonly high_s: number; readonly field: string },
): number => {
  const range = `between ${formatSeconds(low_s)} and ${formatSeconds(high_s)} seconds`
  if (requested_s <= low_s || requested_s >= high_s)
    throw new AppError("invalid", `${field} must be ${range}, the boundaries next to it`)
  const starts = [...new Set(words.map((w) => w.start).filter((t) => t >= low_s && t < high_s))].slice(1)
  if (starts.length === 0) throw new AppError("invalid", `${field} cannot be moved: no word begins ${range}`)
  return starts.reduce((best, t) => (Math.abs(t - requested_s) < Math.abs(best - requested_s) ? t : best))
}
