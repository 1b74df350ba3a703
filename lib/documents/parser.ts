import { type ChildProcess, fork } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { basename, extname } from "node:path"
import { AppError } from "../domain/errors.ts"
import { isRisky } from "./formats.ts"
import { parse } from "./parse.ts"
import type { ParseAnswer, ParseTask } from "./parser.child.ts"
import type { Extracted, Format } from "./types.ts"

export type ParserOptions = {
  /** The bundled program that parses. */
  readonly file: string
  /** Most time for one file from when its parsing begins; by its format when not given. */
  readonly timeoutMs?: number
  /** Most memory of the child, in megabytes. */
  readonly memoryMb?: number
  /** How long an idle child is kept. */
  readonly idleMs?: number
}

/** Reads files; risky ones in a child process with limits on memory and time. Use one file at a time or many. */
export interface DocumentParser {
  /** @throws AppError `invalid` for a file that cannot be read, that takes too long or too much memory */
  parse(path: string, format: Format, bytes: Uint8Array, signal?: AbortSignal): Promise<Extracted>
  close(): Promise<void>
}

const SAMPLE_MS = 100
/** Starting a process takes a fifth of a second, and seconds on a busy machine. */
const START_MS = 60_000
/** A long book is rendered in a minute; a page that takes so long is none. */
const limitOf = (format: Format): number => (format === "html" ? 20_000 : 60_000)

/** Resident memory of a process in megabytes, null where the system does not say. */
const residentMb = (pid: number): number | null => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}

const unreadable = (path: string, why: string): AppError =>
  new AppError("invalid", `'${basename(path)}' cannot be read: ${why}`)

const notStarted = (cause?: unknown): AppError =>
  new AppError("unavailable", "The document parser did not start. Try again in a while.", { cause })

export const createParser = ({ file, timeoutMs, memoryMb = 512, idleMs = 30_000 }: ParserOptions): DocumentParser => {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const stop = (): void => {
    clearTimeout(idle)
    child?.kill("SIGKILL")
    child = null
  }
  const start = (): ChildProcess => {
    if (!existsSync(file))
      throw new AppError("unavailable", `${file} is missing: run "npm run build", then start again.`)
    const started = fork(file, [], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // It needs nothing of ours, a token least of all.
      env: { NODE_ENV: "production" },
    })
    started.unref()
    started.channel?.unref()
    return started
  }

  const ask = (path: string, task: ParseTask, signal: AbortSignal | undefined): Promise<Extracted> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      clearTimeout(idle)
      child ??= start()
      const asked = child
      const finish = (settle: () => void, keep: boolean): void => {
        clearTimeout(late)
        clearInterval(watch)
        signal?.removeEventListener("abort", abort)
        asked.removeAllListeners()
        if (keep) idle = setTimeout(stop, idleMs).unref()
        else stop()
        settle()
      }
      const fail = (error: unknown) => finish(() => reject(error), false)
      const abort = () => fail(signal?.reason)
      const limitMs = timeoutMs ?? limitOf(task.format)
      let late = setTimeout(() => fail(notStarted()), START_MS)
      const begun = () => {
        clearTimeout(late)
        late = setTimeout(() => fail(unreadable(path, `it takes longer than ${limitMs / 1000} s`)), limitMs)
      }
      const tooLarge = () => unreadable(path, `it needs more than ${memoryMb} MB of memory`)
      const watch = setInterval(() => {
        const used = asked.pid === undefined ? null : residentMb(asked.pid)
        if (used !== null && used > memoryMb * 1.5) fail(tooLarge())
      }, SAMPLE_MS)
      signal?.addEventListener("abort", abort)
      asked.once("error", (cause) => fail(notStarted(cause)))
      asked.once("exit", () => fail(tooLarge()))
      asked.on("message", (answer: ParseAnswer) => {
        if ("begun" in answer) begun()
        else if ("extracted" in answer) finish(() => resolve(answer.extracted), true)
        else finish(() => reject(unreadable(path, answer.detail)), true)
      })
      asked.send(task)
    })

  return {
    parse: async (path, format, bytes, signal) => {
      const extension = extname(path).toLowerCase()
      if (!isRisky(format, bytes.byteLength)) return parse(format, bytes, extension)
      const mine = turn.then(() => ask(path, { format, extension, bytes }, signal))
      turn = mine.catch(() => {})
      return mine
    },
    close: async () => stop(),
  }
}
