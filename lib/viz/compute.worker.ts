import { parentPort } from "node:worker_threads"
import { compose, refit } from "./compute.ts"
import type { Answer, Task } from "./protocol.ts"
import type { Composition } from "./types.ts"

/** The large arrays of a result are handed over, not copied. */
const buffersOf = ({ graph, edges, merges, coords }: Composition): ArrayBuffer[] =>
  [graph.indices, graph.similarities, edges.a, edges.b, edges.similarity, merges.left, merges.right, merges.distance]
    .concat(coords)
    .map((array) => array.buffer as ArrayBuffer)

const run = (task: Task): { answer: Answer; transfer: ArrayBuffer[] } => {
  const { id } = task
  try {
    if (task.op === "refit") {
      const result = refit(task.request)
      return { answer: { id, result }, transfer: [result.buffer as ArrayBuffer] }
    }
    const result = compose(task.request)
    return { answer: { id, result }, transfer: buffersOf(result) }
  } catch (error) {
    return {
      answer: { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      transfer: [],
    }
  }
}

parentPort?.on("message", (task: Task) => {
  const { answer, transfer } = run(task)
  parentPort?.postMessage(answer, transfer)
})
