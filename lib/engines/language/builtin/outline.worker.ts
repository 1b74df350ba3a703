import { parentPort, workerData } from "node:worker_threads"
import { type OutlineRequest, outlineTopics } from "./outline.ts"

parentPort!.postMessage(outlineTopics(workerData as OutlineRequest))
