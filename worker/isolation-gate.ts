/** A stage that runs longer no longer blocks others, because a transcription may take hours. */
const MAX_BLOCKING_MS = 30_000

export type LeaveGate = () => void

/**
 * Creates a gate that isolates stages whose last worker crashed. A stage that enters with `alone` waits until the stages in
 * flight have left, and stages after it wait until it has left, so that another crash affects no other stage.
 */
export const createIsolationGate = (maxBlockingMs = MAX_BLOCKING_MS): { enter(alone: boolean): Promise<LeaveGate> } => {
  const inside = { together: 0, alone: 0 }
  let waitingAlone = 0
  const waiting = new Set<() => void>()

  const admit = (kind: keyof typeof inside): LeaveGate => {
    inside[kind]++
    const leave = (): void => {
      clearTimeout(timer)
      if (timer === undefined) return
      timer = undefined
      inside[kind]--
      for (const tryEnter of [...waiting]) tryEnter()
    }
    let timer: NodeJS.Timeout | undefined = setTimeout(leave, maxBlockingMs)
    return leave
  }

  return {
    enter: (alone) =>
      new Promise((resolve) => {
        if (alone) waitingAlone++
        const tryEnter = (): void => {
          const isFree = inside.alone === 0 && (alone ? inside.together === 0 : waitingAlone === 0)
          if (!isFree) return
          waiting.delete(tryEnter)
          if (alone) waitingAlone--
          resolve(admit(alone ? "alone" : "together"))
        }
        waiting.add(tryEnter)
        tryEnter()
      }),
  }
}
