import { spawnSync } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from "vitest"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { getReadiness } from "#lib/services/installation/readiness.ts"
import { type Installation, openInstallation } from "../../fixtures/installation.ts"
import { programOf } from "../../fixtures/programs.ts"
import { type RabbitMq, startRabbitMq } from "../../fixtures/rabbitmq.ts"
import { speechWords } from "../../fixtures/speech-words.ts"

const ended = (job: JobRecord) => job.status === "done" || job.status === "error"
const once = Object.fromEntries(STAGE_NAMES.map((s) => [s, 1]))

describe("workers on RabbitMQ", () => {
  let rabbit: RabbitMq
  let installation: Installation
  beforeAll(async () => {
    rabbit = await startRabbitMq()
    installation = await openInstallation({ SERVICE_PROVIDER: "builtin", SERVICE_BROKER_URL: rabbit.url })
  })
  afterAll(async () => {
    await installation.close()
    await rabbit.close()
  })

  // Only the worker logs show why a worker did not reconnect.
  beforeEach(() =>
    onTestFailed(() => {
      for (const { pid, lines } of installation.workers)
        console.log(
          pid,
          lines
            .slice(-25)
            .map((l) => JSON.stringify(l))
            .join("\n"),
        )
    }),
  )
  const submit = (name: string) =>
    installation.submit({ source: `https://example.org/${name}`, transcription: speechWords({ subjects: 2 }) })
  const cli = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...programOf("cli"), ...args], {
      cwd: packageRoot(),
      encoding: "utf8",
      env: { ...process.env, SERVICE_DATA_DIR: installation.dir, SERVICE_BROKER_URL: rabbit.url },
    })
    return { status, stderr, json: stdout ? JSON.parse(stdout) : null }
  }

  it("accept jobs while the broker is down, and begin within 15 s of its restart", async () => {
    await rabbit.kill("SIGKILL")
    await Promise.all([installation.worker(STAGE_NAMES.slice(0, 7)), installation.worker(["persist"])])
    const id = await submit("early")
    expect((await installation.job(id)).status).toBe("queued")
    const down = await getReadiness(installation.node)
    expect(down.status).toBe("down")
    expect(down.checks.broker).toMatchObject({ state: "down", picked: "rabbitmq" })
    await expect
      .poll(async () => (await getReadiness(installation.node)).checks.worker.state, { timeout: 20_000 })
      .toBe("ok")

    await rabbit.start()
    const restartedAt = Date.now()
    await installation.until(id, (j) => j.status !== "queued", 20_000)
    expect(Date.now() - restartedAt).toBeLessThan(15_000)
    const job = await installation.until(id, ended)
    expect(job.status).toBe("done")
    expect(job.stage_attempts).toEqual(once)
  })

  it("complete each stage once although the broker is killed in between", async () => {
    // RabbitMQ 3.10 may lose the leader of a queue that it declared a moment before it is killed (docs/reliability.md).
    await sleep(5000)
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => submit(`many-${i}`)))
    await installation.until(ids[2]!, (j) => j.stages.l1 === "done")
    await rabbit.kill("SIGKILL")
    const later = await submit("late")
    await rabbit.start()
    for (const id of [...ids, later]) {
      const job = await installation.until(id, ended, 60_000)
      expect(job.status).toBe("done")
      expect(job.stage_attempts).toEqual(once)
    }
  })

  it("report depth, consumers and activity of every stage in the readiness check", async () => {
    await expect
      .poll(async () => (await getReadiness(installation.node)).checks.broker, { timeout: 10_000 })
      .toMatchObject({
        state: "ok",
        picked: "rabbitmq",
        detail: expect.stringMatching(/whisper 0 \(1 consumer, active \d+ s ago\)/),
      })
  })

  it("keep invalid messages as dead letters, which the command line lists and requeues", async () => {
    await installation.node.broker!.publish([{ stage: "l1", id: "bad", body: "not JSON" }])
    await expect.poll(() => installation.node.broker!.deadLetters({ limit: 9 }), { timeout: 20_000 }).toHaveLength(1)
    expect(cli("dead-letters").json).toEqual({
      dead_letters: [{ stage: "l1", id: "bad", body: "not JSON", reason: "not JSON", deadAt: expect.any(Number) }],
    })
    expect(cli("dead-letters", "list", "--stage", "l2").json).toEqual({ dead_letters: [] })
    expect(cli("dead-letters", "requeue", "bad", "--stage", "l1").json).toEqual({ requeued: 1 })
    await expect.poll(() => installation.node.broker!.deadLetters({ limit: 9 }), { timeout: 20_000 }).toHaveLength(1)
    expect(cli("dead-letters", "list", "--stage", "summarize")).toMatchObject({ status: 2 })
    const doctor = cli("doctor").json.findings as { name: string; detail: string; state: string }[]
    expect(doctor.find((f) => f.name === "queue persist")).toMatchObject({
      state: "ok",
      detail: expect.stringMatching(/^persist 0 \(1 consumer/),
    })
    expect(doctor.find((f) => f.name === "dead letters")).toMatchObject({ state: "warn" })
  })

  it("shut down gracefully while the broker is down", async () => {
    await rabbit.kill("SIGKILL")
    const from = Date.now()
    for (const worker of installation.workers) worker.kill("SIGTERM")
    expect(await Promise.all(installation.workers.map((w) => w.exited))).toEqual([
      [0, null],
      [0, null],
    ])
    expect(Date.now() - from).toBeLessThan(10_000)
    expect(await installation.store.installation.listWorkers({ aliveWithinMs: 60_000 })).toEqual([])
  })
})
