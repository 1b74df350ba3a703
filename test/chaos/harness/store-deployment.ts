import { execFileSync } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { type Installation, openInstallation } from "../../fixtures/installation.ts"
import { openSpeechServer, type Reply } from "../../fixtures/speech-server.ts"
import { speechWords } from "../../fixtures/speech-words.ts"
import { spoken, writeWav } from "../../fixtures/tones.ts"
import { WORKER } from "./bundle.ts"
import type { ScenarioContext } from "./scenario.ts"
import { keepCommits } from "./tables.ts"

const WORDS = speechWords({ subjects: 2, secondsEach: 30 })
const SETTLE_MS = 30_000
const RECORDING_S = 8

export const hasEnded = ({ status }: JobRecord): boolean => !["queued", "running"].includes(status)

/** Opens an installation on the store and the queue of the scenario, which reads only through their ports. */
export const openStoreDeployment = async (c: ScenarioContext, env: Record<string, string> = {}, at?: string) => {
  const dir = at ?? mkdtempSync(join(tmpdir(), "earmark-chaos-"))
  const url = await c.postgres?.database()
  if (url) await keepCommits(url)
  const settings = {
    SERVICE_PROVIDER: "builtin",
    ...(url && { SERVICE_DATABASE_URL: url }),
    ...(c.rabbit && { SERVICE_BROKER_URL: c.rabbit.url }),
    ...env,
  }
  const installation = await openInstallation(settings, dir, [WORKER])
  const accepted = new Set<string>()
  const list = () => Promise.all([...accepted].map((id) => installation.job(id)))
  const accept = async (request: Parameters<Installation["submit"]>[0]): Promise<string> => {
    const id = await installation.submit(request)
    accepted.add(id)
    return id
  }
  return {
    ...installation,
    accepted,
    list,
    /** Submits a job with given words. */
    submitWords: (title: string): Promise<string> =>
      accept({
        source: `https://example.org/${accepted.size}`,
        transcription: WORDS,
        title,
        min_subdivide_duration_s: 10,
      }),
    /** Submits a job with a recording to transcribe. */
    submitRecording: (): Promise<string> => {
      const path = join(dir, `recording-${accepted.size}.wav`)
      writeWav(path, spoken([{ word: "alpha", at: accepted.size % 4 }]), RECORDING_S)
      return accept({ source: path, provider: "builtin" })
    },
    waitUntilEnded: async (ms = 60_000): Promise<JobRecord[]> => {
      for (const deadline = Date.now() + ms; ; await sleep(100)) {
        const jobs = await list()
        const open = jobs.filter((job) => !hasEnded(job)).length
        if (open === 0) return jobs
        if (Date.now() > deadline) {
          c.check(`all jobs end within ${ms / 1000} s`, false, `${open} of ${jobs.length} did not`)
          return jobs
        }
      }
    },
    /** Checks that each accepted job is done, and that nothing is left in the queues. */
    checkInvariants: async (): Promise<void> => {
      const jobs = await list()
      const other = jobs.filter((job) => job.status !== "done")
      c.check(
        "all accepted jobs are done",
        other.length === 0,
        other.map((j) => j.error?.detail ?? j.status).join("; "),
      )
      const broker = installation.node.broker!
      const total = async () => Object.values(await broker.depth()).reduce((a, b) => a + b, 0)
      let depth = await total()
      for (const deadline = Date.now() + SETTLE_MS; depth > 0 && Date.now() < deadline; depth = await total())
        await sleep(200)
      c.check("the queues are empty", depth === 0, depth)
      const due = await installation.store.outbox.listDue(10)
      c.check("the outbox is empty", due.length === 0, due.length)
      const dead = await broker.deadLetters({ limit: 100 })
      c.check("no dead letters", dead.length === 0, dead.map((d) => d.reason).join("; "))
    },
  }
}

export type StoreDeployment = Awaited<ReturnType<typeof openStoreDeployment>>

/** Opens a deployment, runs `work` with it, and closes it even after an error. */
export const withStoreDeployment = async <T>(
  c: ScenarioContext,
  env: Record<string, string>,
  work: (deployment: StoreDeployment) => Promise<T>,
): Promise<T> => {
  const deployment = await openStoreDeployment(c, env)
  try {
    return await work(deployment)
  } finally {
    await deployment.close()
  }
}

const replyOf = (count: number): Reply => {
  const words = Array.from({ length: count }, (_, i) => {
    const start = (i * RECORDING_S) / count
    return { word: `word${i}`, start, end: start + RECORDING_S / count / 2 }
  })
  const text = words.map(({ word }) => word).join(" ")
  return { body: { text, segments: [{ start: 0, end: RECORDING_S, text }], words } }
}

/** Starts a speech server that answers no transcription before `answer` is called, and then with this number of words. `env` selects it as the engine. */
export const startSlowSpeechServer = async ({ words = 4 } = {}) => {
  const server = await openSpeechServer()
  let answer = () => {}
  const answered = new Promise<Reply>((resolve) => {
    answer = () => resolve(replyOf(words))
  })
  server.onTranscribe(() => answered)
  return {
    env: {
      SERVICE_SPEECH_ENGINE: "openai",
      SERVICE_SPEECH_URL: server.url,
      // The server takes minutes for a few seconds of audio.
      SERVICE_SPEECH_TIMEOUT_S: "86400",
    },
    answer,
    close: server.close,
    /** Returns how often a recording was sent to be transcribed. */
    transcriptions: (): number => server.sent.filter(({ path }) => path.endsWith("/transcriptions")).length,
    waitUntilAsked: async (): Promise<void> => {
      while (server.sent.length === 0) await sleep(20)
    },
  }
}

/** Runs `work` with the only folder on a small disk (tmpfs, which needs root). */
export const withSmallDisk = async <T>(megabytes: number, work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-disk-"))
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "earmark", folder])
  try {
    return await work(folder)
  } finally {
    execFileSync("umount", ["-l", folder])
    execFileSync("rmdir", [folder])
  }
}
