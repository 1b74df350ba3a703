import http from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import { listen, silent, tempConfig } from "#test/fixtures/web.ts"
import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Transcriber } from "../../engines/speech/types.ts"
import type { GroupState } from "../../platform/capabilities/types.ts"
import { newJob } from "../../storage/stores/testing/fixtures.ts"
import { type Node, openNode } from "./open-node.ts"
import { checkBroker, getReadiness } from "./readiness.ts"

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const open = async (env: Record<string, string>) => {
  const { config, remove } = tempConfig(env)
  const node = await openNode(config, silent)
  ends.push(remove, () => node.close())
  return node
}

const beat = (node: Node, stages: readonly StageName[]) =>
  node.store!.installation.recordHeartbeat({
    id: "w",
    host: "h",
    pid: 1,
    version: null,
    started_at: Date.now(),
    active_at: null,
    stages,
  })

/** Opens a service with a worker, the builtin models and a speech engine that is installed, except for the changes. */
const ready = async (p: {
  stages?: readonly StageName[]
  probe?: { available: boolean; detail: string } | Error
  audio?: GroupState
  blobs?: Partial<Node["blobs"]>
}): Promise<Node> => {
  const { stages = STAGE_NAMES, probe = { available: true, detail: "it is installed" }, blobs } = p
  const audio = p.audio ?? { state: "missing", detail: "", install: "" }
  const node = await open({ SERVICE_SPEECH_ENGINE: "sherpa" })
  await beat(node, stages)
  const engine = { probe: async () => (probe instanceof Error ? Promise.reject(probe) : probe) } as Transcriber
  const speech = { ...node.engines.speech, pick: async () => engine }
  return {
    ...node,
    engines: { ...node.engines, speech },
    groups: { ...node.groups, audio },
    blobs: { ...node.blobs, ...blobs },
  }
}
const readinessOf = async (changes: Parameters<typeof ready>[0]) => getReadiness(await ready(changes))

describe("getReadiness", () => {
  it("does not wait for a model server that never responds", async () => {
    const silentServer = http.createServer(() => undefined)
    const url = await listen(silentServer)
    ends.push(
      () => silentServer.close(),
      () => silentServer.closeAllConnections(),
    )
    const node = await open({ SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: url })
    const began = Date.now()
    const { checks } = await getReadiness(node)
    expect(Date.now() - began).toBeLessThan(4000)
    expect(checks.models).toMatchObject({ state: "down", detail: expect.any(String) })
  })
  it('does not report "down" when only the model server is down', async () => {
    const node = await open({ SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: "http://127.0.0.1:9" })
    await beat(node, STAGE_NAMES)
    const { status, detail, checks } = await getReadiness(node)
    expect([status, checks.models.state, checks.worker.state]).toEqual(["degraded", "down", "ok"])
    expect(detail).toMatch(/^models: .*127\.0\.0\.1:9/)
  })
  it('reports "down" without throwing if the database has been closed', async () => {
    const node = await open({})
    await node.store!.close()
    await node.close().catch(() => undefined)
    ends.pop()
    const { status, checks } = await getReadiness(node)
    expect([status, checks.store.state, checks.worker.state]).toEqual(["down", "down", "down"])
  })
  it("reports a degraded broker while messages wait to be published", async () => {
    const node = await open({})
    const { store, broker } = { store: node.store!, broker: node.broker! }
    await store.jobs.submit(newJob())
    expect(await checkBroker(broker, store)).toMatchObject({ state: "ok" })
    const later = { ...store, now: async () => Date.now() + 40_000 }
    const check = await checkBroker(broker, later)
    expect(check).toMatchObject({
      state: "degraded",
      detail: expect.stringMatching(/messages of whisper have waited 40 s/),
    })
    await store.outbox.markPublished((await store.outbox.listDue(1)).map((m) => m.id))
    expect(await checkBroker(broker, later)).toMatchObject({ state: "ok" })
  })

  it("says that all parts work, and what each of them is", async () => {
    const { checks, ...summary } = await readinessOf({})
    expect(summary).toEqual({ status: "ok", detail: "all installed parts work" })
    expect(checks).toMatchObject({
      store: { state: "ok", picked: "sqlite" },
      models: { state: "ok", picked: "builtin" },
      speech: { state: "ok", picked: "sherpa", detail: "it is installed" },
      worker: { state: "ok", detail: "1 running" },
      blobs: { state: "ok", picked: "folder" },
      telemetry: { state: "absent" },
    })
    expect(checks.broker).toMatchObject({ state: "ok", picked: "sqlite" })
    expect(checks.broker.detail!.split("; ").map((line) => line.split(" ")[0])).toEqual(STAGE_NAMES)
  })

  it("says what the store lacks", async () => {
    const node = await ready({})
    const store = { ...node.store!, degradedReason: "searches by meaning are slow" }
    expect((await getReadiness({ ...node, store })).checks.store).toEqual({
      state: "ok",
      picked: "sqlite",
      detail: "searches by meaning are slow",
    })
  })

  it("names the stages that no worker runs", async () => {
    const stages = STAGE_NAMES.filter((stage) => stage !== "l2" && stage !== "persist")
    const { status, checks } = await readinessOf({ stages })
    expect([status, checks.worker]).toEqual([
      "down",
      { state: "down", detail: "no worker runs l2, persist; start one with: npx earmark worker" },
    ])
  })

  it("waits a moment for the workers of a service that has just started", async () => {
    const node = await ready({ stages: [] })
    const readiness = getReadiness(node)
    await sleep(100)
    await beat(node, STAGE_NAMES)
    expect((await readiness).checks.worker.state).toBe("ok")
  })

  it("is degraded by speech or the storage of uploads, which other jobs do not need", async () => {
    const broken = { state: "broken", detail: "it crashes", install: "npm i" } as const
    const speech = await readinessOf({ probe: { available: false, detail: "no model" } })
    expect(speech.status).toBe("degraded")
    expect(speech.checks.speech).toEqual({ state: "down", picked: "sherpa", detail: "no model" })
    const audio = await readinessOf({ audio: broken })
    expect([audio.status, audio.checks.speech.state]).toEqual(["degraded", "degraded"])
    expect(audio.checks.speech.detail).toMatch(/^it is installed; This needs .*it crashes/)
    const failing = await readinessOf({ probe: new Error("no engine") })
    expect(failing.checks.speech).toEqual({ state: "down", picked: "sherpa", detail: "no engine" })
    const check = () => Promise.reject(new Error("the share is gone"))
    const { status, detail, checks } = await readinessOf({ blobs: { check } })
    expect(checks.blobs).toEqual({ state: "down", picked: "folder", detail: "the share is gone" })
    expect([status, detail]).toEqual(["degraded", "blobs: the share is gone"])
  })

  it("describes a broker that is down by its own words, without asking it more", async () => {
    const node = await open({})
    const broker = { ...node.broker!, health: () => ({ state: "down", detail: "no connection" }) as const }
    const stats = () => Promise.reject(new Error("not asked"))
    const check = { state: "down", picked: "sqlite", detail: "no connection" }
    expect(await checkBroker({ ...broker, stats }, node.store!)).toEqual(check)
    const slow = { ...node.broker!, health: () => ({ state: "degraded", detail: "low on memory" }) as const }
    expect(await checkBroker(slow, node.store!)).toMatchObject({
      state: "degraded",
      detail: expect.stringMatching(/^low on memory; whisper 0 /),
    })
  })

  it("names the packages that are missing for database and queue", async () => {
    const node = await ready({})
    const missing = { state: "missing", detail: "", install: "npm i pkg" } as const
    const without = async (groups: Partial<typeof node.groups>, parts: Partial<typeof node>) =>
      getReadiness({ ...node, ...parts, groups: { ...node.groups, ...groups } })
    const { checks: noDatabase } = await without({ rag: missing }, { store: null, broker: null })
    for (const part of ["store", "broker", "worker"] as const)
      expect(noDatabase[part]).toMatchObject({ state: "absent", detail: expect.stringMatching(/group 'rag'/) })
    const { checks: noQueue } = await without({ broker: missing }, { broker: null })
    expect(noQueue).toMatchObject({
      store: { state: "ok" },
      broker: { state: "absent", detail: expect.stringMatching(/group 'broker'/) },
      worker: { state: "absent", detail: expect.stringMatching(/group 'broker'/) },
    })
  })
})
