import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import type { SpeechModel } from "#lib/domain/speech-models.ts"
import { CATALOG } from "#lib/engines/models/catalog.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { errorOf } from "#test/fixtures/client-errors.ts"
import { openModelHost } from "#test/fixtures/model-host.ts"
import { startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { raw, serve, silent, tempConfig } from "#test/fixtures/web.ts"

/** The /models routes behind the real HTTP server, with a test host of models. */
let host: Awaited<ReturnType<typeof openModelHost>>
let node: Node
let server: HttpServer
let client: ReturnType<typeof createClient>
let temp: ReturnType<typeof tempConfig>

const open = async (env: Record<string, string> = {}): Promise<void> => {
  temp = tempConfig({
    SERVICE_MODELS_OFFLINE: "false",
    SERVICE_MODELS_MIRROR: host.url,
    SERVICE_OLLAMA_BASE_URL: "http://127.0.0.1:1",
    ...env,
  })
  node = await openNode(temp.config, silent)
  const viz = openVizCompute({ workerFile: join(temp.dir, "absent.js"), log: silent })
  setHttpDeps({ parseJob: createJobParser(), ...node, viz, root: temp.dir, stopping: new AbortController().signal })
  server = await serve(temp.config, answerBy(await loadRoutes()))
  client = createClient({ baseUrl: server.url })
}
beforeEach(async () => {
  host = await openModelHost()
})
afterEach(async () => {
  await server.close({ deadlineMs: 0 })
  await node.close()
  await host.close()
  temp.remove()
})

const getTiny = async (): Promise<SpeechModel> => (await client.models()).models.find((m) => m.name === "whisper-tiny")!
const waitForTiny = async (wanted: (model: SpeechModel) => boolean): Promise<SpeechModel> => {
  for (const until = Date.now() + 20_000; Date.now() < until; await new Promise((r) => setTimeout(r, 20))) {
    const model = await getTiny()
    if (wanted(model)) return model
  }
  throw new Error(`whisper-tiny is still ${JSON.stringify(await getTiny())}`)
}

describe("/models", () => {
  it("lists the catalog and models that were added by hand", async () => {
    await open()
    mkdirSync(join(temp.dir, "models/mine"), { recursive: true })
    writeFileSync(join(temp.dir, "models/mine/model.onnx"), "12345")
    const { models } = await client.models()
    expect(models.map((m) => m.name)).toEqual([...CATALOG.map((m) => m.name), "mine"])
    expect(models.at(-1)).toMatchObject({ state: "own", bytes: 5, pulling: false })
    expect(await getTiny()).toMatchObject({ state: "absent", fetched_bytes: 0, pulling: false })
  })

  it("lets Ollama pull a model of another name, and lists the model servers", async () => {
    const ollama = await startOllamaServer({ registry: { "hf.co/bees/hive:Q4": [1000] } })
    await open({ SERVICE_OLLAMA_BASE_URL: ollama.url })
    expect(await client.pullModel("hf.co/bees/hive:Q4")).toEqual({ pulling: "hf.co/bees/hive:q4" })
    const names = async () => (await client.modelServers()).servers[0]!.models.map(({ name }) => name)
    await expect.poll(names).toContain("hf.co/bees/hive:q4")
    expect(await errorOf(client.pullModel("hf.co/bees/nest"))).toEqual([404, expect.stringMatching(/finds no model/)])
    await ollama.close()
  })

  it("reports the progress of a pull, refuses to remove a model during it, and removes an installed one", async () => {
    await open()
    const release = host.holdHalf("tiny-decoder.int8.onnx")
    expect(await client.pullModel("tiny")).toEqual({ pulling: "whisper-tiny" })
    expect((await getTiny()).pulling).toBe(true)
    const { fetched_bytes, state } = await waitForTiny((m) => m.fetched_bytes > 600_000)
    expect([state, fetched_bytes]).toEqual(["partial", 300_000 + 350_000])
    expect(await errorOf(client.removeModel("tiny"))).toEqual([
      409,
      expect.stringMatching(/whisper-tiny is being downloaded/),
    ])
    release()
    expect(await waitForTiny((m) => !m.pulling)).toMatchObject({
      state: "present",
      bytes: expect.any(Number),
    })

    const requests = host.asked.length
    await client.pullModel("whisper-tiny")
    expect(host.asked).toHaveLength(requests)
    writeFileSync(join(temp.dir, "models/whisper-tiny/tiny-decoder.int8.onnx"), Buffer.alloc(700_000))
    await client.pullModel("whisper-tiny")
    await waitForTiny((m) => !m.pulling)
    expect(host.asksFor("tiny-decoder.int8.onnx")).toHaveLength(2)

    await client.removeModel("whisper-tiny")
    expect(await getTiny()).toMatchObject({ state: "absent", bytes: 103_600_000, fetched_bytes: 0 })
    expect(await errorOf(client.removeModel("whisper-tiny"))).toEqual([
      404,
      "the model 'whisper-tiny' is not installed",
    ])
  })

  it("reports why a pull failed until the next pull", async () => {
    await open()
    host.trouble("tiny-encoder.int8.onnx", { kind: "corrupt", times: 2, after: 0 })
    await client.pullModel("tiny")
    const { problem, pulling } = await waitForTiny((m) => m.problem !== undefined)
    expect([problem, pulling]).toEqual([
      expect.stringMatching(/Couldn't download .*: .*wrong checksum.*SERVICE_MODELS/),
      false,
    ])
    await client.pullModel("tiny")
    expect((await waitForTiny((m) => m.state === "present")).problem).toBeUndefined()
  })

  it("rejects unknown names, path traversal, and any pull while downloads are forbidden", async () => {
    await open({ SERVICE_MODELS_OFFLINE: "true" })
    expect(await errorOf(client.pullModel("whisper-huge"))).toEqual([
      404,
      expect.stringMatching(/^There is no model 'whisper-huge' in the catalog/),
    ])
    expect(await errorOf(client.pullModel("tiny"))).toEqual([503, expect.stringContaining("SERVICE_MODELS_OFFLINE")])
    for (const name of ["whisper-huge", "..", "../models", ".incoming", "a/b"])
      expect(await errorOf(client.removeModel(name))).toEqual([404, expect.any(String)])
    expect((await raw(server.url, "/models/%2e%2e%2fsecret", { method: "DELETE" })).status).toBe(404)
    expect((await raw(server.url, `/models/${"x".repeat(200)}`, { method: "DELETE" })).status).toBe(404)
    expect((await raw(server.url, "/models/tiny", { method: "GET" })).status).toBe(405)
    expect(host.asked).toEqual([])
  })
})
