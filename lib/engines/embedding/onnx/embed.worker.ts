import { parentPort, workerData } from "node:worker_threads"
import { messageOf } from "../../../domain/errors.ts"
import type { EmbedAnswer, EmbedTask, ThreadData } from "./protocol.ts"
import { loadSentenceEncoder } from "./sentence-encoder.ts"

const { files, threads } = workerData as ThreadData
const loading = loadSentenceEncoder(files, threads)
// A task reports the error.
loading.catch(() => {})

const embed = async ({ texts, kind }: EmbedTask): Promise<Float32Array[]> => {
  const encoder = await loading
  const vectors: Float32Array[] = []
  for (const text of texts) vectors.push(await encoder.encode(text, kind))
  return vectors
}

parentPort!.on("message", async (task: EmbedTask) => {
  let answer: EmbedAnswer
  try {
    answer = { id: task.id, vectors: await embed(task) }
  } catch (error) {
    answer = { id: task.id, error: messageOf(error) }
  }
  parentPort!.postMessage(answer)
})
