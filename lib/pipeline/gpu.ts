import { isIP } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { Config } from "../platform/config/config.ts"
import type { Logger } from "../platform/logger.ts"
import type { GpuKind, ResourceStore } from "../storage/stores/ports/resources.ts"
import type { Claim } from "../storage/stores/ports/stages.ts"

/** The GPU that each kind of work runs on, by the name of its machine. Null: they need not keep out of each other's way. */
export type Gpus = Readonly<Record<GpuKind, string>> | null

/** How long one kind may be kept waiting while the other goes on beginning work. */
const TURN_MS = 60_000
/** How long a GPU is kept for the next stage of the same kind. */
const LINGER_MS = 2_000
const ASK_MS = 250

/** One attempt's place on a GPU. */
export type GpuPlace = {
  /** Waits for its turn, once; returns at once when it has it. @throws the reason of the signal */
  enter(kind: GpuKind): Promise<void>
  /** Gives the place up; without effect where there is none. */
  leave(): Promise<void>
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** A machine by the first part of its name: a host calls itself `gpu1` where others write `gpu1.example.org`. */
const machine = (name: string): string => (isIP(name) ? name : name.split(".")[0]!.toLowerCase())

/** Speech runs on the worker's own machine, the language model on that of its server. */
export const resolveGpuHosts = ({ gpu, models }: Pick<Config, "gpu" | "models">, host: string): Gpus => {
  if (gpu.tenancy === "shared") return null
  const { hostname } = new URL(models.ollamaUrl)
  return { whisper: machine(host), llm: machine(LOOPBACK.test(hostname) ? host : hostname) }
}

export const createGpuPlace = (p: {
  readonly resources: Pick<ResourceStore, "acquireGpu" | "releaseGpu">
  readonly claim: Claim
  readonly gpus: Gpus
  readonly signal: AbortSignal
  /** Keeps the time that the work takes out of the stage's time limit. */
  readonly untimed: <T>(work: Promise<T>) => Promise<T>
  readonly log: Logger
}): GpuPlace => {
  const { resources, claim, gpus, signal, log } = p
  let place: Promise<void> | null = null

  const wait = async (kind: GpuKind, gpu: string): Promise<void> => {
    const from = Date.now()
    for (let told = false; ; told = true) {
      signal.throwIfAborted()
      if (await resources.acquireGpu({ claim, gpu, kind, turnMs: TURN_MS, lingerMs: LINGER_MS })) break
      if (!told) log.info({ gpu, kind }, "waits for the GPU")
      await sleep(ASK_MS, undefined, { signal })
    }
    const ms = Date.now() - from
    if (ms >= ASK_MS) log.info({ gpu, kind, ms }, "has the GPU")
  }

  return {
    enter: (kind) => {
      if (gpus === null) return Promise.resolve()
      place ??= p.untimed(wait(kind, gpus[kind]))
      return place
    },
    leave: async () => {
      if (place !== null) await resources.releaseGpu(claim)
    },
  }
}
