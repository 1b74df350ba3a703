import { AppError } from "../../../domain/errors.ts"
import { startThread } from "../../../platform/processes/worker-thread.ts"
import { createPriorityLimiter } from "../priority-limiter.ts"
import type { OutlineRequest, OutlineTopic } from "./outline.ts"

/** Longer outlines are stopped. Five hours of speech take two seconds. */
const TIMEOUT_MS = 60_000

const outlineInThread = async (request: OutlineRequest, signal: AbortSignal): Promise<readonly OutlineTopic[]> => {
  const thread = startThread("outline-worker", "outline.worker.ts", import.meta.url, request)
  const stop = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    return await new Promise<readonly OutlineTopic[]>((resolve, reject) => {
      const failed = (reason: string) =>
        reject(new AppError("unavailable", `Couldn't preview the topics: ${reason}.`, { retry: "retry" }))
      thread.once("message", resolve)
      thread.once("error", (error) => failed(error.message))
      thread.once("exit", () => failed("the computation was interrupted. Try again"))
      const abort = () =>
        signal.aborted ? reject(signal.reason) : failed(`it takes longer than ${TIMEOUT_MS / 1000} s`)
      if (stop.aborted) abort()
      else stop.addEventListener("abort", abort, { once: true })
    })
  } finally {
    await thread.terminate()
  }
}

/**
 * Returns a function that finds the topics of a recording in a thread of its own, because a long recording takes seconds of
 * processor time. One outline is computed at a time.
 */
export const createOutliner = () => {
  const limiter = createPriorityLimiter()
  return (request: OutlineRequest, signal: AbortSignal): Promise<readonly OutlineTopic[]> =>
    limiter({ maxConcurrent: 1, priority: "critical", signal }, () => outlineInThread(request, signal))
}
