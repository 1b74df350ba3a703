const pad = (n: number): string => String(n).padStart(2, "0")

/** Formats seconds, rounded down, as `M:SS`, or as `H:MM:SS` from one hour on. */
export const formatClock = (seconds: number): string => {
  const s = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(s / 3600)
  const minutes = Math.floor(s / 60) % 60
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(s % 60)}` : `${minutes}:${pad(s % 60)}`
}
