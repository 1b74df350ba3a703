import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { packageRoot } from "#lib/platform/package-root.ts"

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000
/** A child that lived this long had no trouble starting: its next restart begins with the shortest wait again. */
const STABLE_MS = 30_000
/** Longer than the deadlines of web and workers, which stop by themselves. */
const KILL_AFTER_MS = 15_000

const SAME_PRESS_MS = 1000

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
  /** The address of the web process once it listens; rejects when it cannot start. */
  readonly ready: Promise<string>
  /** The exit code when all children are gone: 0 after a signal, else that of the part that could not start. */
  readonly done: Promise<number>
  stop(code: number): void
}

/**
 * Runs web and workers as children: restarts one that ends by itself, with backoff, and ends all of them on SIGTERM,
 * SIGINT or when the web process cannot start at all. Children hold an IPC channel, so that they also notice when the
 * supervisor itself is killed, and leave: no orphans.
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
      // A group of its own: Ctrl-C reaches only the supervisor, which then asks each child once.
      detached: true,
    })
    running.set(part.name, child)
    child.on("message", (message: { type?: string; url?: string }) => {
      // Workers come when the web process has port and database: what keeps it from starting is then said once.
      if (message.type === "bound") for (const next of waiting.splice(0)) start(next, FIRST_WAIT_MS, false)
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
      // What never came up says why in its own sentence: starting it again would only repeat that.
      if (!ready && signal === null && code !== 0) {
        listening.reject(new Error(`the ${part.name} could not start`))
        return stop(code ?? 1)
      }
      const wait = Date.now() - startedAt > STABLE_MS ? FIRST_WAIT_MS : waitMs
      say(`the ${part.name} ended (${signal ?? `code ${code}`}); starting it again in ${wait} ms`)
      const timer = setTimeout(() => {
        timers.delete(timer)
        start(part, Math.min(wait * 2, LONGEST_WAIT_MS), ready)
      }, wait)
      timers.add(timer)
    })
  }

  let signalledAt = 0
  const onSignal = () => {
    // One Ctrl-C may arrive twice, from the terminal and from npm; a second wish to leave is a second press.
    if (stopping && Date.now() - signalledAt > SAME_PRESS_MS) killAll("SIGKILL")
    signalledAt ||= Date.now()
    stop(0)
  }
  // Whoever started us as a child may be killed without a word.
  process.once("disconnect", () => stop(0))
  // The channel alone is no reason to stay.
  process.channel?.unref()
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal).on("SIGHUP", onSignal)
  start(web, FIRST_WAIT_MS, false)
  listening.promise.catch(() => undefined) // who does not ask for the address learns of it by `done`
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
