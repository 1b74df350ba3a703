import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { packageRoot } from "#lib/platform/package-root.ts"

const MIN_RESTART_DELAY_MS = 250
const MAX_RESTART_DELAY_MS = 10_000
/** A child that ran this long restarts with the shortest delay again. */
const STABLE_MS = 30_000
/** Longer than the shutdown deadlines of web and workers. */
const KILL_AFTER_MS = 15_000

/** Signals closer together than this count as one: a terminal and npm both forward Ctrl-C. */
const SAME_SIGNAL_MS = 1000

type Part = { readonly name: string; readonly script: string; readonly args: readonly string[] }

const parts = (workers: boolean, dev: boolean): [Part, ...Part[]] => {
  const stages = STAGE_NAMES.filter((s) => s !== "persist").join(",")
  return [
    { name: "web", script: "server.js", args: dev ? ["--dev"] : [] },
    ...(workers
      ? [
          { name: "stage worker", script: "worker.js", args: ["--stages", stages] },
          { name: "persist worker", script: "worker.js", args: ["--stages", "persist"] },
        ]
      : []),
  ]
}

const say = (line: string): void => {
  process.stderr.write(`earmark: ${line}\n`)
}

export type Supervisor = {
  /** Resolves with the URL of the web process when it listens. Rejects if it cannot start. */
  readonly ready: Promise<string>
  /** Resolves with the exit code when all children have exited: 0 after a signal, else that of the child that could not start. */
  readonly done: Promise<number>
  stop(code: number): void
}

/**
 * Runs web and workers as child processes. Restarts a child that exits, with exponential backoff, and stops all of them on
 * SIGTERM, SIGINT or if one cannot start. Children hold an IPC channel, so they also exit if the supervisor is killed.
 */
export const supervise = ({ workers, dev }: { workers: boolean; dev: boolean }): Supervisor => {
  const [web, ...waiting] = parts(workers, dev)
  const running = new Map<string, ChildProcess>()
  const timers = new Set<NodeJS.Timeout>()
  const listening = deferred<string>()
  const gone = deferred<number>()
  let stopping = false
  let exitCode = 0

  const killAll = (signal: NodeJS.Signals): void => {
    for (const child of running.values()) child.kill(signal)
  }
  const stop = (code: number): void => {
    if (stopping) return
    stopping = true
    exitCode = code
    for (const timer of timers) clearTimeout(timer)
    killAll("SIGTERM")
    setTimeout(killAll, KILL_AFTER_MS, "SIGKILL").unref()
    if (running.size === 0) gone.resolve(exitCode)
  }

  const start = (part: Part, waitMs: number, everReady: boolean): void => {
    const startedAt = Date.now()
    let ready = everReady
    const child = spawn(process.execPath, [join(packageRoot(), "dist", part.script), ...part.args], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Its own process group: Ctrl-C reaches only the supervisor, which then signals each child once.
      detached: true,
    })
    running.set(part.name, child)
    child.on("message", (message: { type?: string; url?: string }) => {
      // Workers start when the web process has port and database, so a startup error is reported once.
      if (message.type === "bound") for (const next of waiting.splice(0)) start(next, MIN_RESTART_DELAY_MS, false)
      if (message.type !== "ready") return
      ready = true
      if (!message.url) return
      listening.resolve(message.url)
    })
    child.once("exit", (code, signal) => {
      running.delete(part.name)
      if (stopping) {
        if (running.size === 0) gone.resolve(exitCode)
        return
      }
      // A child that never became ready has printed its error; a restart would repeat it.
      if (!ready && signal === null && code !== 0) {
        listening.reject(new Error(`couldn't start the ${part.name}`))
        return stop(code ?? 1)
      }
      const wait = Date.now() - startedAt > STABLE_MS ? MIN_RESTART_DELAY_MS : waitMs
      say(`the ${part.name} exited (${signal ?? `code ${code}`}); restarting in ${wait} ms`)
      const timer = setTimeout(() => {
        timers.delete(timer)
        start(part, Math.min(wait * 2, MAX_RESTART_DELAY_MS), ready)
      }, wait)
      timers.add(timer)
    })
  }

  let signalledAt = 0
  const onSignal = () => {
    if (stopping && Date.now() - signalledAt > SAME_SIGNAL_MS) killAll("SIGKILL")
    signalledAt ||= Date.now()
    stop(0)
  }
  // The parent process was killed.
  process.once("disconnect", () => stop(0))
  // The channel alone must not keep the process alive.
  process.channel?.unref()
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal).on("SIGHUP", onSignal)
  start(web, MIN_RESTART_DELAY_MS, false)
  listening.promise.catch(() => undefined) // a caller that does not await `ready` learns of the failure through `done`
  return { ready: listening.promise, done: gone.promise, stop }
}

const deferred = <T>() => {
  let resolve!: (value: T) => void
  let reject!: (error: Error) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
