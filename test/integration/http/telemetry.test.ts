import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { startCollector } from "#test/fixtures/otlp-collector.ts"
import { endService, type Service, startService, startWhole } from "#test/fixtures/service.ts"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { raw } from "#test/fixtures/web.ts"

const dir = mkdtempSync(join(tmpdir(), "earmark-telemetry-"))
const cleanups: (() => unknown)[] = []
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Returns the settings of a new installation with telemetry. */
const newSettings = (): Record<string, string> => ({
  SERVICE_DATA_DIR: mkdtempSync(join(dir, "data-")),
  SERVICE_INGEST_ROOTS: dir,
  SERVICE_OTEL_ENABLED: "true",
  OTEL_BSP_SCHEDULE_DELAY: "100",
  OTEL_METRIC_EXPORT_INTERVAL: "300",
})
const TRACE = "0af7651916cd43dd8448eb211c80319c"
const CALLER = "b7ad6b7169203331"

const submit = async (service: Service, headers: Record<string, string> = {}): Promise<string> => {
  const sent = await raw(service.url, "/jobs/audio", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ source: join(dir, "talk.wav"), transcription: speechWords(), min_subdivide_duration_s: 30 }),
  })
  expect(sent.status, sent.text).toBe(202)
  return (sent.json as { job_id: string }).job_id
}
const statusOf = async (service: Service, job: string): Promise<unknown> =>
  ((await raw(service.url, `/jobs/${job}`)).json as { status?: string }).status
const telemetryOf = async (service: Service): Promise<unknown> =>
  ((await raw(service.url, "/health/ready")).json as { checks?: { telemetry: unknown } }).checks?.telemetry

describe("a job with the caller's trace context", () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let models: OllamaServer
  let service: Service
  let job: string
  beforeAll(async () => {
    collector = await startCollector()
    models = await startOllamaServer({ models: ["gemma4:latest", "nomic-embed-text"] })
    service = await startWhole({
      ...newSettings(),
      SERVICE_PROVIDER: "ollama",
      SERVICE_OLLAMA_BASE_URL: models.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
    })
    job = await submit(service, { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: "vendor=1" })
    for (const until = Date.now() + 40_000; Date.now() < until && (await statusOf(service, job)) !== "done"; )
      await new Promise((r) => setTimeout(r, 200))
    await raw(service.url, "/viz/search?q=a-secret-question")
    // Processes export their last data when they exit.
    expect(await endService(service)).toBe(0)
  })
  afterAll(async () => {
    if (service) await endService(service, "SIGKILL")
    await models?.close()
    collector?.close()
  })

  it("is one trace from the request through every stage to persist, across three processes", () => {
    const own = collector.spans.filter((s) => s.traceId === TRACE)
    const request = own.filter((s) => s.kind === 2)
    expect(request).toHaveLength(1)
    expect(request[0]).toMatchObject({
      name: "POST /jobs/audio",
      service: "earmark-web",
      parentId: CALLER,
      attributes: { "http.response.status_code": 202 },
    })
    const stages = own.filter((s) => s.name.startsWith("stage "))
    expect(stages.map((s) => s.name).sort()).toEqual(STAGE_NAMES.map((s) => `stage ${s}`).sort())
    for (const stage of stages) {
      expect(stage).toMatchObject({ service: "earmark-worker", kind: 5, status: 0 })
      expect(stage.attributes).toMatchObject({
        "earmark.job.id": job,
        "earmark.stage.attempt": 1,
        "earmark.stage.outcome": "done",
      })
      const parent = own.find((s) => s.spanId === stage.parentId)
      expect(parent, `parent of ${stage.name}`).toBeDefined()
    }
  })
  it("contains the model calls inside their stages, with their token counts", () => {
    const stages = new Map(collector.spans.filter((s) => s.name.startsWith("stage ")).map((s) => [s.spanId, s.name]))
    const calls = collector.spans.filter((s) => s.traceId === TRACE && s.attributes["gen_ai.operation.name"])
    expect(new Set(calls.map((s) => stages.get(s.parentId)))).toEqual(
      new Set([
        "stage l1",
        "stage decide",
        "stage l2",
        "stage summarize_l1",
        "stage summarize_l2",
        "stage l0",
        "stage persist",
      ]),
    )
    for (const call of calls) expect(call).toMatchObject({ kind: 3, attributes: { "gen_ai.provider.name": "ollama" } })
    const chat = calls.find((s) => s.name === "chat gemma4:latest")
    expect(chat?.attributes).toMatchObject({
      "gen_ai.request.model": "gemma4:latest",
      "gen_ai.usage.input_tokens": 1,
      "gen_ai.usage.output_tokens": 1,
    })
    expect(calls.some((s) => s.name === "embeddings nomic-embed-text")).toBe(true)
  })
  it("exports metrics: jobs by status, stage seconds, queue depth, model calls and tokens", () => {
    const of = (metric: string) => collector.points.filter((p) => p.metric === metric)
    const by = (metric: string, key: string) => new Set(of(metric).map((p) => p.attributes[key]))
    expect(of("earmark.jobs").at(-1)).toMatchObject({ service: "earmark-web" })
    expect(of("earmark.jobs").findLast((p) => p.attributes["earmark.job.status"] === "done")?.value).toBe(1)
    expect(by("earmark.queue.depth", "earmark.stage")).toEqual(new Set(STAGE_NAMES))
    expect(by("earmark.queue.oldest", "earmark.stage")).toEqual(new Set(STAGE_NAMES))
    // The last export of the service may come after its worker has exited.
    const workers = of("earmark.workers").filter((p) => p.attributes["earmark.stage"] === "whisper")
    expect(workers.map((p) => p.value)).toContain(1)
    expect(by("earmark.stage.duration", "earmark.stage")).toEqual(new Set(STAGE_NAMES))
    expect(by("gen_ai.client.operation.duration", "gen_ai.operation.name")).toEqual(new Set(["chat", "embeddings"]))
    expect(by("gen_ai.client.token.usage", "gen_ai.token.type")).toEqual(new Set(["input", "output"]))
    expect(by("http.server.request.duration", "http.route")).toContain("/jobs/audio")
    const chats = collector.spans.filter((s) => s.attributes["gen_ai.operation.name"] === "chat")
    const counted = of("gen_ai.client.operation.duration").filter(
      (p) => p.attributes["gen_ai.operation.name"] === "chat",
    )
    expect(counted.at(-1)?.count).toBe(chats.length)
  })
  it("is exported to the endpoint of the standard variables, without queries or transcript text", () => {
    for (const headers of collector.headers) expect(headers["x-key"]).toBe("abc")
    const all = Buffer.concat(collector.bodies).toString("latin1")
    expect(all).not.toContain("a-secret-question")
    expect(all).not.toContain(
      speechWords()
        .slice(0, 4)
        .map((w) => w.word)
        .join(" "),
    )
  })
})

describe("telemetry that is unavailable", () => {
  afterEach(async () => {
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
  })
  const start = async (env: Record<string, string>, open = startService): Promise<Service> => {
    const service = await open({ ...newSettings(), ...env })
    cleanups.push(() => endService(service, "SIGKILL"))
    return service
  }

  it("missing packages are logged once, and the service continues", async () => {
    const service = await start({ SERVICE_DISABLE_EXTRAS: "telemetry" })
    const lines = service
      .stderr()
      .split("\n")
      .filter((line) => line.includes("SERVICE_OTEL_ENABLED"))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/has no effect.*npm install @opentelemetry\/api@/)
    expect(await telemetryOf(service)).toMatchObject({
      state: "absent",
      detail: expect.stringContaining("npm install"),
    })
    expect((await raw(service.url, "/health")).status).toBe(200)
  })
  it("a missing collector degrades readiness but delays neither jobs nor shutdown", async () => {
    const service = await start(
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://user:pass@127.0.0.1:9", OTEL_EXPORTER_OTLP_TIMEOUT: "1000" },
      startWhole,
    )
    const job = await submit(service)
    await expect.poll(() => statusOf(service, job), { timeout: 30_000, interval: 200 }).toBe("done")
    await expect
      .poll(() => telemetryOf(service), { timeout: 20_000, interval: 300 })
      .toMatchObject({ state: "degraded", detail: expect.stringContaining("127.0.0.1:9") })
    expect(service.stderr()).not.toContain("user:pass")
    const startedAt = Date.now()
    expect(await endService(service)).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(14_000)
  })
})
