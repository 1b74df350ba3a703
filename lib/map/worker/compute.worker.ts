import { parentPort } from "node:worker_threads"
import { mergeTree } from "../clusters/clusters.ts"
import { loadUsearch } from "../neighbors/approximate.ts"
import { neighboursAmong } from "../neighbors/knn.ts"
import { searchPairs } from "../neighbors/search.ts"
import { APPROXIMATE_FROM, compose, HELP_FROM, refit } from "./compute.ts"
import { openHelper } from "./helper.ts"
import type { Answer, Result, Task } from "./protocol.ts"

const helper = openHelper(new URL(import.meta.url))

const run = async (task: Task): Promise<Result> => {
  if (task.op === "refit") return refit(task.request)
  if (task.op === "compose") {
    const { rows } = task.request.points
    return compose(task.request, {
      helper: rows >= HELP_FROM ? helper : null,
      usearch: rows >= APPROXIMATE_FROM ? await loadUsearch() : null,
    })
  }
  const { points } = task.request
  const { vectors, rows, dims } = points
  if (task.op === "merges") return mergeTree(points, task.request.graph)
  const own = { vectors, n: rows, dims }
  if (task.op === "search") searchPairs(own, task.request.search, 1)
  else neighboursAmong(own, task.request.search, task.request.range, task.request.graph)
  return null
}

/** The large arrays of a result are handed over, not copied. */
const buffersOf = (value: unknown): ArrayBuffer[] => {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : []
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(buffersOf) : []
}

const answerTo = async (task: Task): Promise<Answer> => {
  try {
    return { id: task.id, result: await run(task) }
  } catch (error) {
    return { id: task.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on("message", async (task: Task) => {
  const answer = await answerTo(task)
  parentPort?.postMessage(answer, "result" in answer ? buffersOf(answer.result) : [])
})
