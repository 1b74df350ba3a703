/** Long enough for what a stage does to its process at once; longer work is not waited for. */
const PATIENCE_MS = 30_000

/** Ends a stay. */
export type Leave = () => void

/**
 * Keeps what may have killed a worker apart from what else is in hand: whoever enters `alone` waits until the others have
 * left, and newcomers wait until it has, so that its next death takes no neighbour along. Nobody waits longer than
 * `patienceMs`: a recording is listened to for hours, and then company is the smaller harm.
 */
export const createDoor = (patienceMs = PATIENCE_MS): { enter(alone: boolean): Promise<Leave> } => {
  const inside = { together: 0, alone: 0 }
  let wanted = 0
  const waiting = new Set<() => void>()

  const changed = (): void => {
    for (const look of [...waiting]) look()
  }
  /** Looks now and at every change; `take` must act in the same moment in which it finds its place free. */
  const until = (take: (late: boolean) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const end = (late: boolean): void => {
        if (!take(late)) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve()
      }
      const look = (): void => end(false)
      const timer = setTimeout(end, patienceMs, true)
      waiting.add(look)
      look()
    })
  const leaves = (kind: keyof typeof inside): Leave => {
    return () => {
      inside[kind]--
      changed()
    }
  }

  return {
    enter: async (alone) => {
      if (alone) wanted++
      await until((late) => {
        const free = inside.alone === 0 && (alone ? inside.together === 0 : wanted === 0)
        if (!free && !late) return false
        if (alone) wanted--
        inside[alone ? "alone" : "together"]++
        return true
      })
      return leaves(alone ? "alone" : "together")
    },
  }
}
