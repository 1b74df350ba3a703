import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"
import { AppError } from "../domain/errors.ts"
import { forkProgram, removeTaskListeners } from "../platform/processes/fork.ts"
import type { Collector } from "./chunk-collector.ts"
import { LIMITS } from "./limits.ts"
import type { ParseReply, ParseRequest, ParseTask } from "./parser-messages.ts"

export type ProcessLimits = { readonly heapMb: number; readonly residentMb: number }

/** A child process that parses one file at a time. */
export type ParserProcess = {
  /**
   * Parses a file and collects its chunks or content. Any failure but a rejected file ends the process.
   * @throws AppError `invalid` or `too_large` with a reason that follows "Couldn't read …: "; `unavailable` if the process
   *   does not start
   */
  run<T>(task: ParseTask, collector: Collector<T>, limitMs: number, signal?: AbortSignal): Promise<T>
  /** Returns true if the process can run another task. */
  isReusable(): boolean
  end(): void
}

const MEMORY_CHECK_INTERVAL_MS = 100
/** Starting a process takes 0.2 s, and several seconds on a busy machine. */
const START_TIMEOUT_MS = 60_000
/** A file is sent in slices of this size, so that sending it takes no second copy of the file. */
const SLICE_BYTES = 2 ** 20

/** Returns the resident memory of a process in megabytes, or null if the system does not report it. */
const readResidentMb = (pid: number | undefined): number | null => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}

const startError = (cause?: unknown): AppError =>
  new AppError("unavailable", "The document parser did not start. Try again later.", { cause })

/** Node's permission model: a process with this flag cannot write files or start processes and threads. */
const PERMISSION_FLAG = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission"

/** Sends the file and the task. Each slice is copied only when the one before it is written. */
const sendTask = async (child: ChildProcess, { bytes, ...task }: ParseTask): Promise<void> => {
  const send = (request: ParseRequest) =>
    new Promise<void>((resolve, reject) => {
      child.send(request, (error) => (error ? reject(error) : resolve()))
    })
  let from = 0
  for (; bytes.byteLength - from > SLICE_BYTES; from += SLICE_BYTES)
    await send({ slice: bytes.subarray(from, from + SLICE_BYTES) })
  await send({ ...task, bytes: bytes.subarray(from) })
}

export const startParserProcess = (
  program: { readonly file: string; readonly execArgv: readonly string[] },
  { heapMb, residentMb }: ProcessLimits = LIMITS,
): ParserProcess => {
  // A program that runs from source has arguments for its compiler, which starts a process.
  const sandbox = program.execArgv.length === 0 ? [PERMISSION_FLAG, "--allow-fs-read=*"] : []
  const child = forkProgram(program.file, [...program.execArgv, ...sandbox, `--max-old-space-size=${heapMb}`])
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
    child.kill("SIGKILL")
  }

  const run: ParserProcess["run"] = (task, collector, limitMs, signal) =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timeout)
        clearInterval(memoryCheck)
        signal?.removeEventListener("abort", abort)
        removeTaskListeners(child)
        settle()
      }
      const fail = (error: unknown): void => {
        collector.discard()
        end()
        finish(() => reject(error))
      }
      const abort = (): void => fail(signal?.reason)
      let timeout = setTimeout(() => fail(startError()), START_TIMEOUT_MS)
      const onStarted = (): void => {
        clearTimeout(timeout)
        const tooSlow = () => new AppError("invalid", `it takes longer than ${limitMs / 1000} s`)
        timeout = setTimeout(() => fail(tooSlow()), limitMs)
      }
      const tooLarge = () => new AppError("invalid", `it needs more than ${heapMb} MB of memory`)
      const memoryCheck = setInterval(() => {
        if ((readResidentMb(child.pid) ?? 0) > residentMb) fail(tooLarge())
      }, MEMORY_CHECK_INTERVAL_MS)
      signal?.addEventListener("abort", abort)
      child.once("error", (cause) => fail(startError(cause)))
      child.once("exit", () => fail(tooLarge()))
      child.on("message", (reply: ParseReply) => {
        if ("started" in reply) onStarted()
        else if ("done" in reply) finish(() => resolve(collector.finish(reply)))
        else if ("record" in reply) collector.add(reply)
        else {
          collector.discard()
          finish(() => reject(new AppError(reply.code, reply.detail)))
        }
      })
      // A process that ends while it receives the file emits `exit`.
      sendTask(child, task).catch(() => {})
    })

  return {
    run,
    // A process that keeps much memory after a large file would exceed its limit with the next.
    isReusable: () => !hasEnded && child.connected && (readResidentMb(child.pid) ?? 0) < residentMb / 2,
    end,
  }
}
