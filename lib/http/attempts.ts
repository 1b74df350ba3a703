const WINDOW_MS = 60_000
const ALLOWED = 10
/** More callers than this are not told apart any longer: the oldest are forgotten. */
const MAX_CALLERS = 10_000

/**
 * Counts wrong tries by caller: ten in a minute, then none until the minute is over. A try is refused before it is
 * looked at, so that guessing goes no faster for one who ignores the refusals.
 */
export const createAttempts = (now: () => number = Date.now) => {
  const callers = new Map<string, { count: number; since: number }>()
  const current = (caller: string) => {
    const known = callers.get(caller)
    return known && now() - known.since < WINDOW_MS ? known : undefined
  }
  return {
    /** Milliseconds until the next try is looked at; 0: now. */
    waitMs: (caller: string): number => {
      const known = current(caller)
      return known && known.count >= ALLOWED ? known.since + WINDOW_MS - now() : 0
    },
    failed: (caller: string): void => {
      const known = current(caller)
      callers.delete(caller)
      callers.set(caller, known ? { ...known, count: known.count + 1 } : { count: 1, since: now() })
      if (callers.size > MAX_CALLERS) callers.delete(callers.keys().next().value!)
    },
    succeeded: (caller: string): void => void callers.delete(caller),
  }
}
export type Attempts = ReturnType<typeof createAttempts>
