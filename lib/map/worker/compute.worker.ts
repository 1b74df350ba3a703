import { parentPort } from "node:worker_threads"
import { buildMergeTree } from "../clusters/clusters.ts"
import { rankCandidates } from "../neighbors/nearest-neighbors.ts"
import { searchPairs } from "../neighbors/pair-search.ts"
import { embedTerms } from "../terms/term-space.ts"
import { composeMap, refitLayout, SECOND_THREAD_MIN_ROWS } from "./compute.ts"
import type { Answer, Result, Task } from "./protocol.ts"
import { openSecondThread } from "./second-thread.ts"

const secondThread = openSecondThread(new URL(import.meta.url))

const run = async (task: Task): Promise<Result> => {
  if (task.op === "refit") return refitLayout(task.request)
  if (task.op === "terms") return embedTerms(task.request)
  if (task.op === "compose") {
    const { rows } = task.request.points
    return composeMap(task.request, rows >= SECOND_THREAD_MIN_ROWS ? secondThread : null)
  }
  const { points } = task.request
  const { vectors, rows, dims } = points
  if (task.op === "merges") return buildMergeTree(points, task.request.graph)
  const own = { vectors, n: rows, dims }
  if (task.op === "search") searchPairs(own, task.request.search, 1)
  else rankCandidates(own, task.request.search, task.request.range, task.request.graph)
  return null
}

/** Lists the buffers of a result's arrays, which are transferred instead of copied. */
const transferableBuffers = (value: unknown): ArrayBuffer[] => {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : []
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(transferableBuffers) : []
}

const answerTask = async (task: Task): Promise<Answer> => {
  try {
    return { id: task.id, result: await run(task) }
  } catch (error) {
    return { id: task.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on("message", async (task: Task) => {
  const answer = await answerTask(task)
  parentPort?.postMessage(answer, "result" in answer ? transferableBuffers(answer.result) : [])
})
