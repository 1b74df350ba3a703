import type { Worker } from "node:worker_threads"
import { AppError } from "../../../domain/errors.ts"
import { startThread } from "../../../platform/processes/worker-thread.ts"
import type { EmbedAnswer, EmbedTask, ThreadData } from "./protocol.ts"

/** The model is unloaded after this long without work, in milliseconds. It takes up to 500 MB. */
const IDLE_MS = 300_000

type Request = EmbedTask & {
  resolve(vectors: readonly Float32Array[]): void
  reject(error: unknown): void
}

export type EmbedThread = {
  /** Returns the vectors of texts. Queries go before documents that wait. @throws AppError `unavailable` */
  embed(texts: readonly string[], kind: EmbedTask["kind"]): Promise<readonly Float32Array[]>
  close(): Promise<void>
}

/**
 * Creates a worker thread that keeps one sentence model loaded. It starts with the first text, ends when idle, starts
 * again after a crash, and does not keep the process running.
 */
export const createEmbedThread = (
  name: string,
  { data, idleMs = IDLE_MS }: { readonly data: () => Promise<ThreadData>; readonly idleMs?: number },
): EmbedThread => {
  const waiting: Request[] = []
  let running: Request | null = null
  let thread: Promise<Worker> | null = null
  let idle: NodeJS.Timeout | null = null
  let lastId = 0
  let closed = false
  /** The thread whose answers count; null while there is none. */
  let current: Worker | null = null

  const start = async (): Promise<Worker> => {
    const workerData = await data()
    const worker = startThread("embed-worker", "embed.worker.ts", import.meta.url, workerData)
    worker.unref()
    worker.on("message", (answer: EmbedAnswer) => settle(answer))
    let reason = "its thread ended"
    worker.on("error", (error) => {
      reason = error.message
    })
    worker.on("exit", () => {
      // A thread that was stopped on purpose has been replaced.
      if (current !== worker) return
      current = null
      thread = null
      const interrupted = running
      running = null
      interrupted?.reject(
        new AppError("unavailable", `The embedding model ${name} failed: ${reason}. Try again.`, { retry: "retry" }),
      )
      next()
    })
    current = worker
    return worker
  }
  const stop = async (): Promise<void> => {
    const worker = current
    current = null
    thread = null
    await worker?.terminate()
  }

  const next = (): void => {
    if (running || closed) return
    if (idle) clearTimeout(idle)
    idle = null
    const request = waiting.shift()
    if (!request) {
      idle = setTimeout(() => void stop(), idleMs).unref()
      return
    }
    running = request
    thread ??= start()
    thread.then(
      (worker) => {
        const { id, texts, kind } = request
        if (running === request) worker.postMessage({ id, texts, kind } satisfies EmbedTask)
      },
      (error: unknown) => {
        thread = null
        running = null
        request.reject(error)
        next()
      },
    )
  }

  const settle = (answer: EmbedAnswer): void => {
    const request = running
    if (request?.id !== answer.id) return
    running = null
    if ("vectors" in answer) request.resolve(answer.vectors)
    else {
      request.reject(
        new AppError(
          "unavailable",
          `Couldn't use the embedding model ${name}: ${answer.error}. Run \`npx earmark models pull ${name}\` to download it again, or choose another with \`npx earmark engines set embedder=builtin\`.`,
        ),
      )
      // A model that could not be loaded is tried again by the next request, with files that may be new.
      void stop()
    }
    next()
  }

  return {
    embed: (texts, kind) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new AppError("unavailable", "The service is shutting down."))
        const request: Request = { id: ++lastId, texts, kind, resolve, reject }
        const at = kind === "query" ? waiting.findIndex((other) => other.kind === "document") : -1
        waiting.splice(at < 0 ? waiting.length : at, 0, request)
        next()
      }),
    close: async () => {
      closed = true
      if (idle) clearTimeout(idle)
      const error = new AppError("unavailable", "The text was not embedded because the service is shutting down.")
      for (const request of waiting.splice(0)) request.reject(error)
      running?.reject(error)
      running = null
      await stop()
    },
  }
}
