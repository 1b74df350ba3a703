import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "./free-port.ts"

/** The program, which must be installed (scripts/test-servers.mjs checks it). */
const PROGRAM = process.env.LLAMA_SERVER ?? "llama-server"
const READY_TIMEOUT_MS = 120_000

export type LlamaServer = { readonly url: string; readonly log: () => string; close(): Promise<void> }

/**
 * Starts llama.cpp's server with a model file and waits until the model is loaded.
 * @param args further arguments, such as `--embeddings`
 */
export const startLlamaServer = async (model: string, args: readonly string[]): Promise<LlamaServer> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child: ChildProcess = spawn(PROGRAM, ["-m", model, "--host", "127.0.0.1", "--port", `${port}`, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  })
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
    if (health?.status === 200) return { url, log: () => log, close }
  }
  await close()
  throw new Error(`llama-server did not start:\n${log}`)
}
