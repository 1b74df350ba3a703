import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openModelHost } from "#test/fixtures/model-host.ts"
import { silent, tempConfig } from "#test/fixtures/web.ts"
import { listModels, pullModel, removeModel } from "./speech-models.ts"

const TINY = "whisper-tiny"

let host: Awaited<ReturnType<typeof openModelHost>>
let temp: ReturnType<typeof tempConfig>
let deps: Parameters<typeof pullModel>[0] & { readonly store: null }
beforeEach(async () => {
  host = await openModelHost()
  temp = tempConfig({
    SERVICE_MODELS_MIRROR: host.url,
    SERVICE_MODELS_OFFLINE: "false",
    SERVICE_OLLAMA_BASE_URL: "http://127.0.0.1:1",
  })
  deps = { config: temp.config, log: silent, modelDownloads: new Map(), modelPulls: new Map(), store: null }
})
afterEach(async () => {
  await host.close()
  temp.remove()
})

const modelsDir = () => temp.config.speech.models.dir
const stateOf = async (name: string) => (await listModels(deps)).models.find((model) => model.name === name)!
const putOwn = (name: string) => {
  mkdirSync(join(modelsDir(), name), { recursive: true })
  writeFileSync(join(modelsDir(), name, "model.onnx"), "1234")
}

describe("speech models", () => {
  it("are downloaded in the background under their name or alias, once, and removed", async () => {
    expect(await stateOf(TINY)).toMatchObject({ state: "absent", pulling: false })
    expect(await pullModel(deps, "tiny")).toEqual({ pulling: TINY })
    expect(await pullModel(deps, TINY)).toEqual({ pulling: TINY })
    expect((await stateOf(TINY)).pulling).toBe(true)
    await expect.poll(() => stateOf(TINY), { timeout: 10_000 }).toMatchObject({ state: "present", pulling: false })
    expect(host.asked.filter((asked) => JSON.stringify(asked).includes("tiny-decoder"))).toHaveLength(1)
    expect(deps.modelDownloads.size).toBe(0)
    await removeModel(deps, "tiny")
    expect(await stateOf(TINY)).toMatchObject({ state: "absent" })
    await expect(removeModel(deps, TINY)).rejects.toMatchObject({
      status: 404,
      message: `the model '${TINY}' is not installed`,
    })
  })

  it("report why a download failed until it is tried again or the model is removed", async () => {
    for (const name of host.files.keys()) host.trouble(name, { kind: "corrupt", times: 99, after: 0 })
    await pullModel(deps, TINY)
    await expect
      .poll(async () => (await stateOf(TINY)).problem, { timeout: 10_000 })
      .toMatch(/Couldn't download the model/)
    expect(deps.modelDownloads.get(TINY)).toMatch(/Couldn't download the model/)
    expect((await stateOf(TINY)).pulling).toBe(false)
    deps.modelDownloads.set(TINY, null)
    expect(await stateOf(TINY)).toMatchObject({ pulling: true })
    expect(await stateOf(TINY)).not.toHaveProperty("problem")
    deps.modelDownloads.set(TINY, "it broke off")
    expect(await stateOf(TINY)).toMatchObject({ pulling: false, problem: "it broke off" })
  })

  it("include the user's own, which can be removed", async () => {
    putOwn("mine")
    expect(await stateOf("mine")).toMatchObject({ state: "own", bytes: 4, languages: null })
    await removeModel(deps, "mine")
    expect(existsSync(join(modelsDir(), "mine"))).toBe(false)
  })

  it("are not downloaded if they are unknown or downloads are disabled", async () => {
    await expect(pullModel(deps, "mine")).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/^There is no model 'mine' in the catalog, and no Ollama server answers at http/),
    })
    const speech = { ...temp.config.speech, models: { ...temp.config.speech.models, offline: true } }
    const offline = { ...deps, config: { ...temp.config, speech } }
    await expect(pullModel(offline, TINY)).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/SERVICE_MODELS_OFFLINE/),
    })
    expect([(await listModels(offline)).offline, (await listModels(deps)).offline]).toEqual([true, false])
    expect(host.asked).toEqual([])
    for (const name of ["../etc", ".incoming"])
      await expect(removeModel(deps, name)).rejects.toMatchObject({ status: 404 })
  })
})
