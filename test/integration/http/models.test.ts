import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createClient, type EarmarkError } from "#lib/api/client/index.ts"
import type { SpeechModel } from "#lib/domain/speech-models.ts"
import { CATALOG } from "#lib/engines/speech/models/catalog.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { openModelHost } from "#test/fixtures/model-host.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { raw, serve, silent, tempConfig } from "#test/fixtures/web.ts"

/** The /models routes behind the real HTTP server, with a test host of models. */
let host: Awaited<ReturnType<typeof openModelHost>>
let node: Node
let front: HttpServer
let client: ReturnType<typeof createClient>
let place: ReturnType<typeof tempConfig>

const open = async (env: Record<string, string> = {}): Promise<void> => {
  place = tempConfig({ SERVICE_MODELS_OFFLINE: "false", SERVICE_MODELS_MIRROR: host.url, ...env })
  node = await openNode(place.config, silent)
  const viz = openVizCompute({ workerFile: join(place.dir, "absent.js"), log: silent })
  setHttpDeps({ ...node, viz, root: place.dir, stopping: new AbortController().signal })
  front = await serve(place.config, answerBy(await loadRoutes()))
  client = createClient({ baseUrl: front.url })
}
beforeEach(async () => {
  host = await openModelHost()
})
afterEach(async () => {
  await front.close({ deadlineMs: 0 })
  await node.close()
  await host.close()
  place.remove()
})

const tiny = async (): Promise<SpeechModel> => (await client.models()).models.find((m) => m.name === "whisper-tiny")!
const tinyWhen = async (wanted: (model: SpeechModel) => boolean): Promise<SpeechModel> => {
  for (const until = Date.now() + 20_000; Date.now() < until; await new Promise((r) => setTimeout(r, 20))) {
    const model = await tiny()
    if (wanted(model)) return model
  }
  throw new Error(`it stays ${JSON.stringify(await tiny())}`)
}
const refusal = (call: Promise<unknown>): Promise<[number, string]> =>
  call.then(
    () => {
      throw new Error("not refused")
    },
    (e: EarmarkError) => [e.status, e.detail],
  )

describe("/models", () => {
  it("lists the catalog and models that were added by hand", async () => {
    await open()
    mkdirSync(join(place.dir, "models/mine"), { recursive: true })
    writeFileSync(join(place.dir, "models/mine/model.onnx"), "12345")
    const { models } = await client.models()
    expect(models.map((m) => m.name)).toEqual([...CATALOG.map((m) => m.name), "mine"])
    expect(models.at(-1)).toMatchObject({ state: "own", bytes: 5, pulling: false })
    expect(await tiny()).toMatchObject({ state: "absent", fetched_bytes: 0, pulling: false })
  })

  it("reports the progress of a pull, refuses to remove a model during it, and removes an installed one", async () => {
    await open()
    const release = host.holdHalf("tiny-decoder.int8.onnx")
    expect(await client.pullModel("tiny")).toEqual({ pulling: "whisper-tiny" })
    expect((await tiny()).pulling).toBe(true)
    const { fetched_bytes, state } = await tinyWhen((m) => m.fetched_bytes > 600_000)
    expect([state, fetched_bytes]).toEqual(["partial", 300_000 + 350_000])
    expect(await refusal(client.removeModel("tiny"))).toEqual([
      409,
      expect.stringMatching(/whisper-tiny is being downloaded/),
    ])
    release()
    expect(await tinyWhen((m) => !m.pulling)).toMatchObject({
      state: "present",
      bytes: expect.any(Number),
    })

    const asked = host.asked.length
    await client.pullModel("whisper-tiny")
    expect(host.asked).toHaveLength(asked)
    writeFileSync(join(place.dir, "models/whisper-tiny/tiny-decoder.int8.onnx"), Buffer.alloc(700_000))
    await client.pullModel("whisper-tiny")
    await tinyWhen((m) => !m.pulling)
    expect(host.asksFor("tiny-decoder.int8.onnx")).toHaveLength(2)

    await client.removeModel("whisper-tiny")
    expect(await tiny()).toMatchObject({ state: "absent", bytes: 103_600_000, fetched_bytes: 0 })
    expect(await refusal(client.removeModel("whisper-tiny"))).toEqual([
      404,
      "the model 'whisper-tiny' is not installed",
    ])
  })

  it("reports why a pull failed until the next pull", async () => {
    await open()
    host.trouble("tiny-encoder.int8.onnx", { kind: "corrupt", times: 2, after: 0 })
    await client.pullModel("tiny")
    const { problem, pulling } = await tinyWhen((m) => m.problem !== undefined)
    expect([problem, pulling]).toEqual([
      expect.stringMatching(/Couldn't download .*: .*wrong checksum.*SERVICE_MODELS/),
      false,
    ])
    await client.pullModel("tiny")
    expect((await tinyWhen((m) => m.state === "present")).problem).toBeUndefined()
  })

  it("rejects unknown names, path traversal, and any pull while downloads are forbidden", async () => {
    await open({ SERVICE_MODELS_OFFLINE: "true" })
    expect(await refusal(client.pullModel("whisper-huge"))).toEqual([404, "unknown model 'whisper-huge'"])
    expect(await refusal(client.pullModel("tiny"))).toEqual([503, expect.stringContaining("SERVICE_MODELS_OFFLINE")])
    for (const name of ["whisper-huge", "..", "../models", ".incoming", "a/b"])
      expect(await refusal(client.removeModel(name))).toEqual([404, expect.any(String)])
    expect((await raw(front.url, "/models/%2e%2e%2fsecret", { method: "DELETE" })).status).toBe(404)
    expect((await raw(front.url, `/models/${"x".repeat(200)}`, { method: "DELETE" })).status).toBe(422)
    expect((await raw(front.url, "/models/tiny", { method: "GET" })).status).toBe(405)
    expect(host.asked).toEqual([])
  })
})
