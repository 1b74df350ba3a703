/** Seconds as M:SS, or H:MM:SS from an hour on. */
export const clock = (seconds: number): string => {
  const s = Math.max(0, Math.floor(seconds))
  const two = (n: number): string => String(n).padStart(2, "0")
  const minutes = Math.floor(s / 60) % 60
  const hours = Math.floor(s / 3600)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`
}
