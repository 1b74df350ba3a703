import { type ChildProcess, spawn } from "node:child_process"
import type { Readable } from "node:stream"
import { AppError } from "../../domain/errors.ts"

export type ChildOptions = {
  readonly signal: AbortSignal
  /** The file descriptor of the child's standard input. None by default. */
  readonly stdin?: number
}

export type ChildEnd = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The end of its standard error, at most 8192 characters. */
  readonly stderr: string
}

export type Child = {
  readonly stdout: Readable
  /** Resolves when the process has ended and its pipes are closed. @throws AppError if it could not be started */
  readonly end: Promise<ChildEnd>
  /** Kills the process and its own child processes. Has no effect if it has ended. */
  readonly kill: () => void
}

const STDERR_TAIL = 8192

/** The kill functions of running children, called when this process exits. */
const running = new Set<() => void>()
let hasExitListener = false
const killAtExit = (kill: () => void): void => {
  running.add(kill)
  if (hasExitListener) return
  hasExitListener = true
  process.once("exit", () => {
    for (const end of running) end()
  })
}

/** Starts a program without a shell in its own process group. It is killed when the signal aborts or this process exits. */
export const startChild = (command: string, args: readonly string[], { signal, stdin }: ChildOptions): Child => {
  signal.throwIfAborted()
  const child: ChildProcess = spawn(command, args, { stdio: [stdin ?? "ignore", "pipe", "pipe"], detached: true })
  const kill = (): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, "SIGKILL")
    } catch {
      child.kill("SIGKILL")
    }
  }
  signal.addEventListener("abort", kill, { once: true })
  killAtExit(kill)
  let stderr = ""
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_TAIL)
  })
  const end = new Promise<ChildEnd>((resolve, reject) => {
    child.once("error", (cause) =>
      reject(new AppError("unavailable", `Couldn't start the program ${command}: ${cause.message}`, { cause })),
    )
    child.once("close", (code, by) => resolve({ code, signal: by, stderr }))
  }).finally(() => {
    signal.removeEventListener("abort", kill)
    running.delete(kill)
  })
  // Callers read stdout first and await `end` later. Until then a rejection must not count as unhandled.
  end.catch(() => {})
  return { stdout: child.stdout!, end, kill }
}

/** Returns "signal SIGKILL" or "exit code 1", for messages. */
export const describeExit = (end: ChildEnd): string =>
  end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`
