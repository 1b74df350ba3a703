import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { Helper } from "./compute.ts"
import type { Answer, Operation, Result, Task } from "./protocol.ts"

type Waiting = { resolve(result: Result): void; reject(error: Error): void }

/**
 * A second thread of the same file, which comes up with the first request, stays, and comes up again after a crash.
 * Null on a machine with one core.
 */
export const openHelper = (workerFile: URL): Helper | null => {
  if (availableParallelism() < 2) return null
  const waiting = new Map<number, Waiting>()
  let thread: Worker | null = null
  let serial = 0

  const start = (): Worker => {
    const made = new Worker(workerFile)
    made.unref()
    made.on("message", (answer: Answer) => {
      const asked = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ("result" in answer) asked?.resolve(answer.result)
      else asked?.reject(new Error(answer.error))
    })
    const lost = (error: Error) => {
      if (thread === made) thread = null
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    made.on("error", lost)
    made.on("exit", (code) => lost(new Error(`the second thread ended with ${code}`)))
    return made
  }
  const ask = <T extends Result>(operation: Operation): Promise<T> =>
    new Promise<Result>((resolve, reject) => {
      const task: Task = { id: ++serial, ...operation }
      waiting.set(task.id, { resolve, reject })
      thread ??= start()
      thread.postMessage(task)
    }) as Promise<T>
  return {
    start: () => {
      thread ??= start()
    },
    search: async (points, search) => void (await ask({ op: "search", request: { points, search } })),
    neighbours: async (points, search, range, graph) =>
      void (await ask({ op: "neighbours", request: { points, search, range, graph } })),
    merges: (points, graph) => ask({ op: "merges", request: { points, graph } }),
  }
}
