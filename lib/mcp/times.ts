import { formatClock } from "../domain/text/format-clock.ts"

/** Formats a time for people and for the next call: `12:05 (725.4 s)`. */
export const formatTime = (seconds: number): string => `${formatClock(seconds)} (${Math.round(seconds * 10) / 10} s)`
