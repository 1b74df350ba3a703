import { type ChildProcess, fork } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { basename, extname } from "node:path"
import { AppError } from "../domain/errors.ts"
import { needsChildProcess } from "./formats.ts"
import { parseDocument } from "./parse.ts"
import type { ParseReply, ParseTask } from "./parser.child.ts"
import type { Extracted, Format } from "./types.ts"

export type ParserOptions = {
  /** The bundled program of the child process. */
  readonly file: string
  /** The time limit for parsing one file. Default: by format. */
  readonly timeoutMs?: number
  /** The memory limit of the child process in megabytes. */
  readonly memoryMb?: number
  /** How long an idle child process is kept. */
  readonly idleMs?: number
}

/** Parses files. Risky ones are parsed in a child process with limits on memory and time, one at a time. */
export interface DocumentParser {
  /** @throws AppError `invalid` for a damaged file, or one that needs too much time or memory */
  parse(path: string, format: Format, bytes: Uint8Array, signal?: AbortSignal): Promise<Extracted>
  close(): Promise<void>
}

const MEMORY_CHECK_INTERVAL_MS = 100
/** Starting a process takes 0.2 s, and several seconds on a busy machine. */
const START_TIMEOUT_MS = 60_000
/** Parsing a long book takes up to a minute. A web page never does. */
const defaultTimeoutMs = (format: Format): number => (format === "html" ? 20_000 : 60_000)

/** Returns the resident memory of a process in megabytes, or null if the system does not report it. */
const readResidentMb = (pid: number): number | null => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}

const parseError = (path: string, reason: string): AppError =>
  new AppError("invalid", `Couldn't read ${basename(path)}: ${reason}`)

const startError = (cause?: unknown): AppError =>
  new AppError("unavailable", "The document parser did not start. Try again later.", { cause })

export const createParser = ({ file, timeoutMs, memoryMb = 512, idleMs = 30_000 }: ParserOptions): DocumentParser => {
  let child: ChildProcess | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const stop = (): void => {
    clearTimeout(idleTimer)
    child?.kill("SIGKILL")
    child = null
  }
  const start = (): ChildProcess => {
    if (!existsSync(file))
      throw new AppError(
        "unavailable",
        `Couldn't start the document parser: ${file} is missing. Run "npm run build", then start again.`,
      )
    const forked = fork(file, [], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // Does not inherit the environment, which contains secrets.
      env: { NODE_ENV: "production" },
    })
    forked.unref()
    forked.channel?.unref()
    return forked
  }

  const parseInChild = (path: string, task: ParseTask, signal: AbortSignal | undefined): Promise<Extracted> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      clearTimeout(idleTimer)
      child ??= start()
      const running = child
      const finish = (settle: () => void, keep: boolean): void => {
        clearTimeout(timeout)
        clearInterval(memoryCheck)
        signal?.removeEventListener("abort", abort)
        running.removeAllListeners()
        if (keep) idleTimer = setTimeout(stop, idleMs).unref()
        else stop()
        settle()
      }
      const fail = (error: unknown) => finish(() => reject(error), false)
      const abort = () => fail(signal?.reason)
      const limitMs = timeoutMs ?? defaultTimeoutMs(task.format)
      let timeout = setTimeout(() => fail(startError()), START_TIMEOUT_MS)
      const onStarted = () => {
        clearTimeout(timeout)
        timeout = setTimeout(() => fail(parseError(path, `it takes longer than ${limitMs / 1000} s`)), limitMs)
      }
      const tooLarge = () => parseError(path, `it needs more than ${memoryMb} MB of memory`)
      const memoryCheck = setInterval(() => {
        const used = running.pid === undefined ? null : readResidentMb(running.pid)
        if (used !== null && used > memoryMb * 1.5) fail(tooLarge())
      }, MEMORY_CHECK_INTERVAL_MS)
      signal?.addEventListener("abort", abort)
      running.once("error", (cause) => fail(startError(cause)))
      running.once("exit", () => fail(tooLarge()))
      running.on("message", (reply: ParseReply) => {
        if ("started" in reply) onStarted()
        else if ("extracted" in reply) finish(() => resolve(reply.extracted), true)
        else finish(() => reject(parseError(path, reply.detail)), true)
      })
      running.send(task)
    })

  return {
    parse: async (path, format, bytes, signal) => {
      const extension = extname(path).toLowerCase()
      if (!needsChildProcess(format, bytes.byteLength)) return parseDocument(format, bytes, extension)
      const result = queue.then(() => parseInChild(path, { format, extension, bytes }, signal))
      queue = result.catch(() => {})
      return result
    },
    close: async () => stop(),
  }
}
