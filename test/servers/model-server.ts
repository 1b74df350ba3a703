import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { findFreePort } from "#test/fixtures/free-ports.ts"

/** The programs, which must be installed (scripts/test-servers.mjs checks it). */
const PROGRAMS = {
  llama: process.env.LLAMA_SERVER ?? "llama-server",
  whisper: process.env.WHISPER_SERVER ?? "whisper-server",
} as const
const READY_TIMEOUT_MS = 120_000

export type ModelServer = { readonly url: string; close(): Promise<void> }

/**
 * Starts llama.cpp's or whisper.cpp's server with a model file and waits until the model is loaded.
 * @param args further arguments, such as `--embeddings`
 */
export const startModelServer = async (
  program: keyof typeof PROGRAMS,
  model: string,
  args: readonly string[],
): Promise<ModelServer> => {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const own = ["-m", model, "--host", "127.0.0.1", "--port", `${port}`, "--threads", "1", ...args]
  const child: ChildProcess = spawn(PROGRAMS[program], own, { stdio: ["ignore", "pipe", "pipe"] })
  let log = ""
  const add = (chunk: Buffer) => {
    log = (log + chunk).slice(-20_000)
  }
  child.stdout!.on("data", add)
  child.stderr!.on("data", add)
  const exited = once(child, "exit")
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM")
    await exited
  }
  for (const until = Date.now() + READY_TIMEOUT_MS; Date.now() < until && child.exitCode === null; await sleep(100)) {
    const health = await fetch(`${url}/health`).catch(() => null)
    if (health?.status === 200) return { url, close }
  }
  await close()
  throw new Error(`${PROGRAMS[program]} did not start:\n${log}`)
}
