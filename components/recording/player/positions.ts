const KEY = "earmark.positions"
const MAX_POSITIONS = 300
/** A recording that was left this close to its start or end begins at the start. */
const MIN_POSITION_S = 5

type Positions = Readonly<Record<string, readonly [time_s: number, savedAt: number]>>

const read = (): Positions => {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "{}")
    return typeof stored === "object" && stored !== null ? (stored as Positions) : {}
  } catch {
    return {}
  }
}

const write = (positions: Positions): void => {
  const newest = Object.entries(positions).sort(([, a], [, b]) => b[1] - a[1])
  try {
    window.localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(newest.slice(0, MAX_POSITIONS))))
  } catch {
    // Storage is disabled or full: the position lasts until the page is closed.
  }
}

/** Returns the position in seconds at which a recording was left in this browser, or 0. */
export const readPosition = (id: string, duration_s: number): number => {
  const time_s = Number(read()[id]?.[0] ?? 0)
  return time_s > MIN_POSITION_S && time_s < duration_s - MIN_POSITION_S ? time_s : 0
}

/** Remembers the position of a recording. Forgets it near the start and the end. */
export const savePosition = (id: string, time_s: number, duration_s: number): void => {
  const { [id]: _, ...others } = read()
  const isWorthwhile = time_s > MIN_POSITION_S && time_s < duration_s - MIN_POSITION_S
  write(isWorthwhile ? { ...others, [id]: [Math.round(time_s * 10) / 10, Date.now()] } : others)
}

export const forgetPosition = (id: string): void => savePosition(id, 0, 0)
