import { type ChildProcess, spawn } from "node:child_process"
import type { Readable } from "node:stream"
import { AppError } from "../../domain/errors.ts"

export type ChildOptions = {
  readonly signal: AbortSignal
  /** A file that the child gets as its standard input, by descriptor; without one it has none. */
  readonly stdin?: number
}

export type ChildEnd = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The last lines that it wrote to standard error, at most some kilobytes. */
  readonly stderr: string
}

export type Child = {
  readonly stdout: Readable
  /** Resolves when the process has ended and its pipes are closed. @throws AppError when it could not be started. */
  readonly end: Promise<ChildEnd>
  /** Ends the process and all that it started, at once. Harmless when it has ended. */
  readonly kill: () => void
}

const STDERR_TAIL = 8192

/** How to kill each child that lives; one listener serves them all when this process exits. */
const living = new Set<() => void>()
let watched = false
const killAtExit = (kill: () => void): void => {
  living.add(kill)
  if (watched) return
  watched = true
  process.once("exit", () => {
    for (const end of living) end()
  })
}

/**
 * Starts a program without a shell, in a process group of its own, that does not outlive its purpose: it is killed
 * when the signal is aborted and when this process exits.
 */
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
      reject(new AppError("unavailable", `the program ${command} could not be started: ${cause.message}`, { cause })),
    )
    child.once("close", (code, by) => resolve({ code, signal: by, stderr }))
  }).finally(() => {
    signal.removeEventListener("abort", kill)
    living.delete(kill)
  })
  // Whoever reads stdout first meets the failure there; it is awaited and handled afterwards.
  end.catch(() => {})
  return { stdout: child.stdout!, end, kill }
}

/** How a process ended, in words: "signal SIGKILL" or "exit code 1". */
export const describeExit = (end: ChildEnd): string =>
  end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`
