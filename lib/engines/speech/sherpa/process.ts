import { type ChildProcess, fork } from "node:child_process"
import { AppError } from "../../../domain/errors.ts"
import type { Logger } from "../../../platform/logger.ts"
import { resolveChildProgram } from "../../../platform/processes/child-program.ts"
import { EngineUnavailableError } from "../errors.ts"
import type { Answer, Method, Methods, Question } from "./protocol.ts"

const STDERR_TAIL = 8192
/** What the child needs of the environment; a token or a password is not among it. */
const PASSED = ["PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS"]

type Waiting = {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  readonly progress: ((done: number, total: number) => void) | undefined
}

export type CallOptions = {
  /** Gives the call up at once; the child goes on with it, unheard. */
  readonly signal?: AbortSignal
  readonly progress?: (done: number, total: number) => void
}

/** A child process with native speech code. When it dies, every open call fails, to be tried again. */
export type SpeechProcess = {
  call<M extends Method>(method: M, params: Parameters<Methods[M]>[0], options?: CallOptions): ReturnType<Methods[M]>
  readonly alive: () => boolean
  readonly pid: number | undefined
  /** What native code has written on stderr, the end of it. */
  readonly said: () => string
  kill(): void
}

/** What the native code wrote last, without its source places: that names the file or the setting that is wrong. */
const complaint = (stderr: string): string => {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
  const telling =
    lines.filter((line) => /what\(\)|error|fail|invalid|exception/i.test(line)).at(-1) ?? lines.at(-1) ?? ""
  return telling.replace(/^\S*\.(cc|h):\S*\s*/, "").slice(0, 300)
}

const died = (how: string, stderr: string): AppError => {
  const said = complaint(stderr)
  return new AppError("unavailable", `the speech engine sherpa stopped (${how})${said && `: ${said}`}`, {
    retry: "retry",
  })
}

/**
 * Starts the speech child. Native code in it may abort on a broken model file or odd sound; that costs the calls that are
 * open and nothing else. It ends with this process, when told to, and when it owes an answer and gives no sign of life
 * for `silenceMs`.
 */
export const startSpeechProcess = (log: Logger, silenceMs: number): SpeechProcess => {
  const { file, execArgv } = resolveChildProgram("speech-child", "sherpa.child.ts", import.meta.url)
  const env = Object.fromEntries(
    PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
  const child: ChildProcess = fork(file, [], {
    execArgv,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // Each thread's own heap (glibc) would keep what it once needed.
    env: { ...env, NODE_ENV: "production", MALLOC_ARENA_MAX: "2" },
  })
  let stderr = ""
  let ended: AppError | null = null
  let next = 0
  const waiting = new Map<number, Waiting>()

  let silence: NodeJS.Timeout | undefined
  /** Waits anew for the next sign of life, as long as an answer is owed. */
  const watch = (): void => {
    clearTimeout(silence)
    if (waiting.size > 0) silence = setTimeout(giveUp, silenceMs)
  }
  /** Whoever waits for an answer keeps this process going; an idle child does not. */
  const hold = (): void => {
    if (waiting.size > 0) child.channel?.ref()
    else child.channel?.unref()
  }
  const fail = (error: AppError): void => {
    ended ??= error
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
    watch()
  }
  const giveUp = (): void => {
    log.error({ pid: child.pid, silenceMs, stderr: stderr.slice(-2000) }, "the speech child is silent and is ended")
    fail(
      new AppError(
        "unavailable",
        `the speech engine sherpa gave no sign of life for ${Math.round(silenceMs / 1000)} s and was ended; on a machine that is only slow, raise SERVICE_SPEECH_TIMEOUT_S`,
        { retry: "retry" },
      ),
    )
    child.kill("SIGKILL")
  }
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL)
  })
  ;(child.stderr as unknown as { unref?: () => void } | null)?.unref?.()
  child.unref()
  hold()
  child.on("message", (answer: Answer) => {
    const asked = waiting.get(answer.id)
    watch()
    if (!asked) return
    if ("done" in answer) return asked.progress?.(answer.done, answer.total)
    waiting.delete(answer.id)
    hold()
    watch()
    if ("error" in answer && answer.unfit)
      asked.reject(
        new EngineUnavailableError(
          "capability_missing",
          `sherpa-onnx-node does not load (${answer.error}): install it anew with npm install sherpa-onnx-node`,
        ),
      )
    else if ("error" in answer)
      asked.reject(
        new AppError("unavailable", `the speech engine sherpa: ${answer.error}${stderr && ` (${complaint(stderr)})`}`, {
          retry: "retry",
        }),
      )
    else asked.resolve(answer.value as never)
  })
  child.once("error", (cause) =>
    fail(new AppError("unavailable", `the speech engine did not start: ${cause.message}`, { cause })),
  )
  child.once("close", (code, signal) => {
    const how = signal ? `signal ${signal}` : `exit code ${code}`
    if (waiting.size > 0) log.error({ how, stderr: stderr.slice(-2000) }, "the speech child ended at work")
    fail(died(how, stderr))
  })

  return {
    call: (method, params, { signal, progress } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        if (ended) throw ended
        const id = next++
        const abort = (): void => {
          waiting.delete(id)
          hold()
          watch()
          reject(signal?.reason)
        }
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            signal?.removeEventListener("abort", abort)
            then(value)
          }
        signal?.addEventListener("abort", abort, { once: true })
        waiting.set(id, { resolve: settle(resolve), reject: settle(reject), progress })
        hold()
        watch()
        const question: Question = { id, method, params }
        child.send(question, (error) => {
          // It is gone, and the news of that is still on its way.
          if (error) fail(died("its channel is closed", stderr))
        })
      }) as never,
    alive: () => ended === null,
    pid: child.pid,
    said: () => stderr,
    kill: () => {
      fail(new AppError("unavailable", "the speech engine is being shut down", { retry: "later" }))
      child.kill("SIGKILL")
    },
  }
}
