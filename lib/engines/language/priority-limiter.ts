/** So much earlier than it came does a call on the path count as having come, in milliseconds: nobody waits for ever. */
const HEAD_START_MS = 60_000
/** After the last call of a stage on the path those of the next may be on their way through the queue, so many milliseconds. */
const GAP_MS = 250

/**
 * path: on the longest path of its job, and others follow that are, too. next: on that path, the last of it that are many.
 * side: beside it.
 */
export type SlotRank = "path" | "next" | "side"

export type SlotRequest = {
  /** Calls that may be open at once, this one included, whoever makes them. */
  readonly most: number
  readonly rank: SlotRank
  readonly signal: AbortSignal
}

/** Places at a model server that all calls of one process share. */
export type Slots = <T>(request: SlotRequest, call: () => Promise<T>) => Promise<T>

type Waiting = { readonly most: number; readonly rank: SlotRank; readonly key: number; readonly go: () => void }

/**
 * Calls wait in one row, those on the path further ahead in it; the first of the row begins as soon as fewer calls are
 * open than it allows, and nobody overtakes it. A call beside the path leaves as many places free as those on it have
 * lately wanted at once: a place it takes is not given back when the next of them come. (List scheduling by longest path,
 * Graham 1969, with room kept for what is about to come.)
 */
export const createPriorityLimiter = ({ now = () => performance.now() }: { now?: () => number } = {}): Slots => {
  const row: Waiting[] = []
  let open = 0
  let sideOpen = 0
  /** Calls of rank path that wait or are open; how many these were at most since there were none; when the last ended. */
  const path = { count: 0, peak: 0, endedAt: Number.NEGATIVE_INFINITY }
  let looking = false
  let timer: NodeJS.Timeout | undefined

  const start = (waiting: Waiting): void => {
    row.splice(row.indexOf(waiting), 1)
    open++
    if (waiting.rank === "side") sideOpen++
    waiting.go()
  }
  const hasRight = (w: Waiting): boolean => w.rank !== "side" || now() - w.key >= HEAD_START_MS
  const quietMs = (): number => GAP_MS - (now() - path.endedAt)
  const sideRoom = (most: number): number => {
    if (path.count > 0) return Math.max(1, most - path.peak)
    return quietMs() > 0 ? 1 : most
  }
  const admitAll = (): void => {
    for (let first = row[0]; first; first = row[0]) {
      if (open >= first.most) return
      if (!hasRight(first) && sideOpen >= sideRoom(first.most)) {
        clearTimeout(timer)
        if (path.count === 0) timer = setTimeout(admitAll, Math.max(1, quietMs()))
        return
      }
      start(first)
    }
  }
  const admit = (): void => {
    for (let first = row[0]; first && hasRight(first) && open < first.most; first = row[0]) start(first)
    // Calls of one stage come one by one: those beside the path begin when all of them have been seen.
    if (row.length === 0 || looking) return
    looking = true
    setImmediate(() => {
      looking = false
      admitAll()
    })
  }
  const left = (rank: SlotRank): void => {
    if (rank === "path" && --path.count === 0) {
      path.peak = 0
      path.endedAt = now()
    }
    admit()
  }
  const enter = ({ most, rank, signal }: SlotRequest): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const leave = () => {
        row.splice(row.indexOf(waiting), 1)
        reject(signal.reason)
        left(rank)
      }
      const go = () => {
        signal.removeEventListener("abort", leave)
        resolve()
      }
      const waiting: Waiting = { most, rank, key: now() - (rank === "side" ? 0 : HEAD_START_MS), go }
      signal.addEventListener("abort", leave, { once: true })
      if (rank === "path") path.peak = Math.max(path.peak, ++path.count)
      const at = row.findIndex((other) => other.key > waiting.key)
      row.splice(at < 0 ? row.length : at, 0, waiting)
      admit()
    })

  return async (request, call) => {
    await enter(request)
    try {
      return await call()
    } finally {
      open--
      if (request.rank === "side") sideOpen--
      left(request.rank)
    }
  }
}
