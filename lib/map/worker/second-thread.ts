import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { SecondThread } from "./compute.ts"
import type { Answer, Operation, Result, Task } from "./protocol.ts"

type PendingTask = { resolve(result: Result): void; reject(error: Error): void }

/**
 * Opens a second thread that runs the same file. It starts with the first request and restarts after a crash. Returns
 * null on a machine with one core.
 */
export const openSecondThread = (workerFile: URL): SecondThread | null => {
  if (availableParallelism() < 2) return null
  const pending = new Map<number, PendingTask>()
  let thread: Worker | null = null
  let lastId = 0

  const createThread = (): Worker => {
    const worker = new Worker(workerFile)
    worker.unref()
    worker.on("message", (answer: Answer) => {
      const task = pending.get(answer.id)
      pending.delete(answer.id)
      if ("result" in answer) task?.resolve(answer.result)
      else task?.reject(new Error(answer.error))
    })
    const rejectAll = (error: Error) => {
      if (thread === worker) thread = null
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    }
    worker.on("error", rejectAll)
    worker.on("exit", (code) => rejectAll(new Error(`The second thread of the map exited with code ${code}.`)))
    return worker
  }
  const run = <T extends Result>(operation: Operation): Promise<T> =>
    new Promise<Result>((resolve, reject) => {
      const task: Task = { id: ++lastId, ...operation }
      pending.set(task.id, { resolve, reject })
      thread ??= createThread()
      thread.postMessage(task)
    }) as Promise<T>
  return {
    start: () => {
      thread ??= createThread()
    },
    search: async (points, search) => void (await run({ op: "search", request: { points, search } })),
    rankCandidates: async (points, search, range, graph) =>
      void (await run({ op: "neighbors", request: { points, search, range, graph } })),
    buildMergeTree: (points, graph) => run({ op: "merges", request: { points, graph } }),
  }
}
