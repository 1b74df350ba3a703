import { isIP } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { messageOf } from "../domain/errors.ts"
import type { Config } from "../platform/config/config.ts"
import type { Logger } from "../platform/logger.ts"
import type { GpuKind, ResourceStore } from "../storage/stores/ports/resources.ts"
import type { Claim } from "../storage/stores/ports/stages.ts"
import { retryDuringOutage } from "./retry-during-outage.ts"

/** What uses a GPU: speech, or the server of a provider. */
export type GpuUser = "speech" | "ollama" | "openai"

/** The host whose GPU each of them uses. Null if speech and language models may run at the same time. */
export type GpuHosts = Readonly<Record<GpuUser, string>> | null

/** How long one kind of work may keep starting stages while the other kind waits. */
const MAX_TURN_MS = 60_000
/** How long a GPU stays reserved for the next stage of the same kind. */
const LINGER_MS = 2_000
const POLL_MS = 250

/** The use of a GPU by one attempt. */
export type GpuSlot = {
  /**
   * Waits until the GPU is available, also while the store is not. Later calls return immediately.
   * @throws the abort reason of the signal
   */
  acquire(user: GpuUser): Promise<void>
  /** Releases the GPU. Has no effect if it was not acquired. Never throws. */
  release(): Promise<void>
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Returns the first label of a host name, because a host may call itself `gpu1` and others `gpu1.example.org`. */
const toHostLabel = (name: string): string => (isIP(name) ? name : name.split(".")[0]!.toLowerCase())

/** Returns the worker's host for speech and the host of each model server. */
export const resolveGpuHosts = ({ gpu, models }: Pick<Config, "gpu" | "models">, host: string): GpuHosts => {
  if (gpu.tenancy === "shared") return null
  const hostOf = (url: string): string => {
    const { hostname } = new URL(url)
    return toHostLabel(LOOPBACK.test(hostname) ? host : hostname)
  }
  const ollama = hostOf(models.ollamaUrl)
  return { speech: toHostLabel(host), ollama, openai: models.openai ? hostOf(models.openai.url) : ollama }
}

export const createGpuSlot = (p: {
  readonly resources: Pick<ResourceStore, "acquireGpu" | "releaseGpu">
  readonly claim: Claim
  readonly gpus: GpuHosts
  readonly signal: AbortSignal
  /** Excludes a wait from the stage's timeout. */
  readonly untimed: <T>(work: Promise<T>) => Promise<T>
  readonly log: Logger
}): GpuSlot => {
  const { resources, claim, gpus, signal, log } = p
  let acquired: Promise<void> | null = null

  const waitForGpu = async (kind: GpuKind, gpu: string): Promise<void> => {
    const from = Date.now()
    for (let isLogged = false; ; isLogged = true) {
      signal.throwIfAborted()
      const request = { claim, gpu, kind, turnMs: MAX_TURN_MS, lingerMs: LINGER_MS }
      if (await retryDuringOutage(() => resources.acquireGpu(request), Number.POSITIVE_INFINITY, { signal })) break
      if (!isLogged) log.info({ gpu, kind }, "waiting for the GPU")
      await sleep(POLL_MS, undefined, { signal })
    }
    const ms = Date.now() - from
    if (ms >= POLL_MS) log.info({ gpu, kind, ms }, "acquired the GPU")
  }

  return {
    acquire: (user) => {
      if (gpus === null) return Promise.resolve()
      acquired ??= p.untimed(waitForGpu(user === "speech" ? "whisper" : "llm", gpus[user]))
      return acquired
    },
    release: async () => {
      if (acquired === null) return
      // The reservation also ends with the stage, so a failure must not replace the result of the stage.
      await resources.releaseGpu(claim).catch((error: unknown) => {
        log.warn({ detail: messageOf(error) }, "failed to release the GPU")
      })
    },
  }
}
