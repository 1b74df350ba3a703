import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { AppError } from "../../domain/errors.ts"
import type { Composition, EmbeddedTerms, VizCompute } from "../types.ts"
import type { Answer, Operation, Task } from "./protocol.ts"

type Log = { warn(fields: object, message: string): void }
type Request = {
  readonly task: Task
  readonly promise: Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * A worker thread with a queue. The thread gets one request at a time, so that a waiting request can be cancelled without
 * stopping the thread and survives a crash of the thread.
 */
class ComputeThread {
  private thread: Worker | null = null
  private running: Request | null = null
  private readonly waiting: Request[] = []
  private readonly byKey = new Map<string, Request>()
  private lastId = 0
  private closed = false

  constructor(
    private readonly workerFile: string,
    private readonly log: Log,
  ) {}

  /** Runs an operation, or returns the result of an unfinished one with the same key. */
  run<T>(key: string, operation: Operation): Promise<T> {
    if (this.closed)
      return Promise.reject(new AppError("unavailable", "Can't compute the map: the service is shutting down."))
    const shared = this.byKey.get(key)
    if (shared) return shared.promise as Promise<T>
    const { promise, resolve, reject } = createDeferred()
    const request: Request = { task: { id: ++this.lastId, ...operation }, promise, resolve, reject }
    this.byKey.set(key, request)
    const removeKey = () => this.byKey.delete(key)
    promise.then(removeKey, removeKey)
    this.waiting.push(request)
    this.startNext()
    return promise as Promise<T>
  }

  /** Cancels a request. If it is running, its thread is stopped. */
  cancel(key: string, reason: unknown): void {
    const request = this.byKey.get(key)
    if (!request) return
    const at = this.waiting.indexOf(request)
    if (at >= 0) this.waiting.splice(at, 1)
    else void this.stopThread()
    request.reject(reason)
    this.startNext()
  }

  async close(): Promise<void> {
    this.closed = true
    const closed = new AppError("unavailable", "The map was not computed because the service is shutting down.")
    for (const request of this.waiting.splice(0)) request.reject(closed)
    this.running?.reject(closed)
    await this.stopThread()
  }

  private startNext(): void {
    if (this.running || this.closed) return
    const request = this.waiting.shift()
    if (!request) return
    try {
      this.thread ??= this.createThread()
      this.running = request
      this.thread.postMessage(request.task)
    } catch (error) {
      this.running = null
      request.reject(error)
      this.startNext()
    }
  }

  private createThread(): Worker {
    if (!existsSync(this.workerFile))
      throw new AppError(
        "unavailable",
        `Can't compute the map: ${this.workerFile} is missing. Run "npm run build" and restart.`,
      )
    const thread = new Worker(this.workerFile)
    thread.unref()
    thread.on("message", (answer: Answer) => this.settle(answer))
    // "exit" follows "error". By then, `this.thread` no longer refers to a thread that was stopped on purpose.
    thread.on("error", (error) => {
      if (this.thread === thread) this.log.warn({ err: error }, "map compute thread failed")
    })
    thread.on("exit", () => {
      if (this.thread !== thread) return
      this.thread = null
      const interrupted = this.running
      this.running = null
      interrupted?.reject(
        new AppError("unavailable", "The computation of the map was interrupted. Try again.", { retry: "retry" }),
      )
      this.startNext()
    })
    return thread
  }

  private settle(answer: Answer): void {
    const request = this.running
    if (request?.task.id !== answer.id) return
    this.running = null
    if ("result" in answer) request.resolve(answer.result)
    else request.reject(new AppError("internal", `Couldn't compute the map: ${answer.error}`))
    this.startNext()
  }

  private async stopThread(): Promise<void> {
    const thread = this.thread
    this.thread = null
    this.running = null
    await thread?.terminate()
  }
}

const createDeferred = () => {
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<unknown>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

/**
 * Opens the computation of maps on a worker thread. The thread starts with the first request, is reused for later ones,
 * and restarts after a crash. It does not keep the process alive.
 */
export const openVizCompute = ({ workerFile, log }: { workerFile: string; log: Log }): VizCompute => {
  const thread = new ComputeThread(workerFile, log)
  const termThread = new ComputeThread(workerFile, log)
  return {
    compose: (key, request) => thread.run<Composition>(`compose:${key}`, { op: "compose", request }),
    refit: (key, request, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason)
      const name = `refit:${key}`
      const abort = () => thread.cancel(name, signal.reason)
      signal.addEventListener("abort", abort, { once: true })
      return thread
        .run<Float32Array>(name, { op: "refit", request })
        .finally(() => signal.removeEventListener("abort", abort))
    },
    embedTerms: (key, request) => termThread.run<EmbeddedTerms>(`terms:${key}`, { op: "terms", request }),
    close: async () => void (await Promise.all([thread.close(), termThread.close()])),
  }
}
