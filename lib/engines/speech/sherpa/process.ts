import { type ChildProcess, fork } from "node:child_process"
import { Socket } from "node:net"
import { AppError } from "../../../domain/errors.ts"
import type { Logger } from "../../../platform/logger.ts"
import { resolveChildProgram } from "../../../platform/processes/child-program.ts"
import { EngineUnavailableError } from "../../errors.ts"
import type { Method, Methods, ProcessRequest, ProcessResponse } from "./protocol.ts"

const STDERR_TAIL_LENGTH = 8192
/** Environment variables that the child process inherits. Tokens and passwords are not among them. */
const PASSED_VARIABLES = [
  "PATH",
  "HOME",
  "TMPDIR",
  "LANG",
  "LD_LIBRARY_PATH",
  "CUDA_VISIBLE_DEVICES",
  "OMP_NUM_THREADS",
]

type PendingCall = {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly progress: ((done: number, total: number) => void) | undefined
}

export type CallOptions = {
  /** Rejects the call immediately. The child process still completes it, and its response is ignored. */
  readonly signal?: AbortSignal
  readonly progress?: (done: number, total: number) => void
}

/** A child process that runs native speech code. If it dies, all pending calls fail with a retryable error. */
export type SpeechProcess = {
  call<M extends Method>(method: M, params: Parameters<Methods[M]>[0], options?: CallOptions): ReturnType<Methods[M]>
  readonly isAlive: () => boolean
  readonly pid: number | undefined
  /** Returns the end of what native code has written to stderr. */
  readonly stderr: () => string
  kill(): void
}

/** Returns the most telling line of native output, without its source location. */
const findErrorLine = (stderr: string): string => {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
  const line = lines.filter((text) => /what\(\)|error|fail|invalid|exception/i.test(text)).at(-1) ?? lines.at(-1) ?? ""
  return line.replace(/^\S*\.(cc|h):\S*\s*/, "").slice(0, 300)
}

const exitError = (reason: string, stderr: string): AppError => {
  const line = findErrorLine(stderr)
  return new AppError("unavailable", `The speech engine sherpa stopped (${reason})${line && `: ${line}`}`, {
    retry: "retry",
  })
}

const toResponseError = (
  { error, isLibraryError }: { error: string; isLibraryError?: true },
  stderr: string,
): AppError =>
  isLibraryError
    ? new EngineUnavailableError(
        "capability_missing",
        `Couldn't load sherpa-onnx-node (${error}). Run npm install sherpa-onnx-node to reinstall it.`,
      )
    : new AppError(
        "unavailable",
        `The speech engine sherpa failed: ${error}${stderr && ` (${findErrorLine(stderr)})`}`,
        {
          retry: "retry",
        },
      )

/**
 * Starts a child process for native speech code, which may abort on a damaged model or unusual audio. It ends with this
 * process, on `kill`, or if it has a pending call and shows no activity for `silenceMs`.
 */
export const startSpeechProcess = (log: Logger, silenceMs: number): SpeechProcess => {
  const { file, execArgv } = resolveChildProgram("speech-child", "child/sherpa.child.ts", import.meta.url)
  const env = Object.fromEntries(
    PASSED_VARIABLES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
  const child: ChildProcess = fork(file, [], {
    execArgv,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // By default, glibc keeps a separate heap per thread and does not return its memory.
    env: { ...env, NODE_ENV: "production", MALLOC_ARENA_MAX: "2" },
  })
  let stderr = ""
  let endError: AppError | null = null
  let nextId = 0
  const pending = new Map<number, PendingCall>()

  let stallTimer: NodeJS.Timeout | undefined
  const restartStallTimer = (): void => {
    clearTimeout(stallTimer)
    if (pending.size > 0) stallTimer = setTimeout(killStalled, silenceMs)
  }
  /** Keeps this process running while calls are pending, but not for an idle child process. */
  const updateChannelRef = (): void => {
    if (pending.size > 0) child.channel?.ref()
    else child.channel?.unref()
  }
  const failPending = (error: AppError): void => {
    endError ??= error
    for (const { reject } of pending.values()) reject(endError)
    pending.clear()
    restartStallTimer()
  }
  const killStalled = (): void => {
    log.error({ pid: child.pid, silenceMs, stderr: stderr.slice(-2000) }, "killing unresponsive speech process")
    failPending(
      new AppError(
        "unavailable",
        `The speech engine sherpa showed no activity for ${Math.round(silenceMs / 1000)} s and was stopped. If this machine is slow, raise SERVICE_SPEECH_TIMEOUT_S.`,
        { retry: "retry" },
      ),
    )
    child.kill("SIGKILL")
  }
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL_LENGTH)
  })
  if (child.stderr instanceof Socket) child.stderr.unref()
  child.unref()
  updateChannelRef()
  child.on("message", (response: ProcessResponse) => {
    const call = pending.get(response.id)
    restartStallTimer()
    if (!call) return
    if ("done" in response) return call.progress?.(response.done, response.total)
    pending.delete(response.id)
    updateChannelRef()
    restartStallTimer()
    if ("error" in response) call.reject(toResponseError(response, stderr))
    else call.resolve(response.value as never)
  })
  child.once("error", (cause) =>
    failPending(new AppError("unavailable", `Couldn't start the speech engine: ${cause.message}`, { cause })),
  )
  child.once("close", (code, signal) => {
    const reason = signal ? `signal ${signal}` : `exit code ${code}`
    if (pending.size > 0) log.error({ reason, stderr: stderr.slice(-2000) }, "speech process exited with pending calls")
    failPending(exitError(reason, stderr))
  })

  return {
    call: (method, params, { signal, progress } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        if (endError) throw endError
        const id = nextId++
        const abort = (): void => {
          pending.delete(id)
          updateChannelRef()
          restartStallTimer()
          reject(signal?.reason)
        }
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            signal?.removeEventListener("abort", abort)
            then(value)
          }
        signal?.addEventListener("abort", abort, { once: true })
        pending.set(id, { resolve: settle(resolve), reject: settle(reject), progress })
        updateChannelRef()
        restartStallTimer()
        const request: ProcessRequest = { id, method, params }
        child.send(request, (error) => {
          // The process has exited, and its "close" event has not been emitted yet.
          if (error) failPending(exitError("its channel is closed", stderr))
        })
      }) as never,
    isAlive: () => endError === null,
    pid: child.pid,
    stderr: () => stderr,
    kill: () => {
      failPending(new AppError("unavailable", "The speech engine is shutting down.", { retry: "later" }))
      child.kill("SIGKILL")
    },
  }
}
