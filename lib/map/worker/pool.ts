import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { AppError } from "../../domain/errors.ts"
import type { Composition, VizCompute } from "../types.ts"
import type { Answer, Operation, Task } from "./protocol.ts"

type Log = { warn(fields: object, message: string): void }
type Entry = {
  readonly task: Task
  readonly promise: Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** One request at a time goes to the thread; the others wait here, so that one can be dropped and none is lost with it. */
class ComputeThread {
  private thread: Worker | null = null
  private running: Entry | null = null
  private readonly waiting: Entry[] = []
  private readonly byKey = new Map<string, Entry>()
  private serial = 0
  private closed = false

  constructor(
    private readonly workerFile: string,
    private readonly log: Log,
  ) {}

  ask<T>(key: string, operation: Operation): Promise<T> {
    if (this.closed) return Promise.reject(new AppError("unavailable", "The map's computation has been shut down."))
    const shared = this.byKey.get(key)
    if (shared) return shared.promise as Promise<T>
    const { promise, resolve, reject } = deferred()
    const entry: Entry = { task: { id: ++this.serial, ...operation }, promise, resolve, reject }
    this.byKey.set(key, entry)
    const forget = () => this.byKey.delete(key)
    promise.then(forget, forget)
    this.waiting.push(entry)
    this.next()
    return promise as Promise<T>
  }

  /** Gives up a request: a waiting one is dropped, a running one takes its thread with it. */
  drop(key: string, reason: unknown): void {
    const entry = this.byKey.get(key)
    if (!entry) return
    const at = this.waiting.indexOf(entry)
    if (at >= 0) this.waiting.splice(at, 1)
    else void this.stop()
    entry.reject(reason)
    this.next()
  }

  async close(): Promise<void> {
    this.closed = true
    const gone = new AppError("unavailable", "The map's computation was shut down before it was done.")
    for (const entry of this.waiting.splice(0)) entry.reject(gone)
    this.running?.reject(gone)
    await this.stop()
  }

  private next(): void {
    if (this.running || this.closed) return
    const entry = this.waiting.shift()
    if (!entry) return
    try {
      this.thread ??= this.start()
      this.running = entry
      this.thread.postMessage(entry.task)
    } catch (error) {
      this.running = null
      entry.reject(error)
      this.next()
    }
  }

  private start(): Worker {
    if (!existsSync(this.workerFile))
      throw new AppError("unavailable", `${this.workerFile} is missing: run "npm run build", then start again.`)
    const thread = new Worker(this.workerFile)
    thread.unref()
    thread.on("message", (answer: Answer) => this.settle(answer))
    // `error` is followed by `exit`; a thread that was stopped on purpose is no longer ours by then.
    thread.on("error", (error) => {
      if (this.thread === thread) this.log.warn({ err: error }, "the map's compute thread failed")
    })
    thread.on("exit", () => {
      if (this.thread !== thread) return
      this.thread = null
      const lost = this.running
      this.running = null
      lost?.reject(new AppError("unavailable", "The map's computation broke off. Ask again.", { retry: "retry" }))
      this.next()
    })
    return thread
  }

  private settle(answer: Answer): void {
    const entry = this.running
    if (entry?.task.id !== answer.id) return
    this.running = null
    if ("result" in answer) entry.resolve(answer.result)
    else entry.reject(new AppError("internal", `The map could not be computed: ${answer.error}`))
    this.next()
  }

  private async stop(): Promise<void> {
    const thread = this.thread
    this.thread = null
    this.running = null
    await thread?.terminate()
  }
}

const deferred = () => {
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<unknown>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/**
 * Starts nothing yet: the thread comes up with the first request, survives between requests, and comes up again after
 * a crash. It does not keep the process alive.
 */
export const openVizCompute = ({ workerFile, log }: { workerFile: string; log: Log }): VizCompute => {
  const thread = new ComputeThread(workerFile, log)
  return {
    compose: (key, request) => thread.ask<Composition>(`compose:${key}`, { op: "compose", request }),
    refit: (key, request, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason)
      const name = `refit:${key}`
      const abort = () => thread.drop(name, signal.reason)
      signal.addEventListener("abort", abort, { once: true })
      return thread
        .ask<Float32Array>(name, { op: "refit", request })
        .finally(() => signal.removeEventListener("abort", abort))
    },
    close: () => thread.close(),
  }
}
