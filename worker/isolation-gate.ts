/** A stay that lasts longer keeps nobody out any more: a recording is listened to for hours. */
const STAY_MS = 30_000

/** Ends a stay. */
export type Leave = () => void

/**
 * Keeps what may have killed a worker apart from what else is in hand: whoever enters `alone` waits until the others have
 * left, and newcomers wait until it has, so that its next death takes no neighbour along.
 */
export const createIsolationGate = (stayMs = STAY_MS): { enter(alone: boolean): Promise<Leave> } => {
  const inside = { together: 0, alone: 0 }
  let wanted = 0
  const waiting = new Set<() => void>()

  const stay = (kind: keyof typeof inside): Leave => {
    inside[kind]++
    const leave = (): void => {
      clearTimeout(timer)
      if (timer === undefined) return
      timer = undefined
      inside[kind]--
      for (const look of [...waiting]) look()
    }
    let timer: NodeJS.Timeout | undefined = setTimeout(leave, stayMs)
    return leave
  }

  return {
    enter: (alone) =>
      new Promise((resolve) => {
        if (alone) wanted++
        const look = (): void => {
          const free = inside.alone === 0 && (alone ? inside.together === 0 : wanted === 0)
          if (!free) return
          waiting.delete(look)
          if (alone) wanted--
          resolve(stay(alone ? "alone" : "together"))
        }
        waiting.add(look)
        look()
      }),
  }
}
