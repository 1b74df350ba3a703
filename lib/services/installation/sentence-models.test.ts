import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { packageRoot } from "../../platform/package-root.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { setEngineChoice } from "./engine-choices.ts"
import { detectSentenceModel, requireSentenceModel } from "./sentence-models.ts"

const FIXTURE = join(packageRoot(), "test/fixtures/embedding-models/wordpiece")

let node: TestNode
const open = async (env: Record<string, string> = {}) => {
  node = await openTestNode({ SERVICE_PROVIDER: "builtin", ...env })
}
beforeEach(() => open())
afterEach(() => node.end())

const put = (name: string) => cpSync(FIXTURE, join(node.config.speech.models.dir, name), { recursive: true })
const putCatalogModel = (name: string) => {
  put(name)
  cpSync(join(FIXTURE, "model.onnx"), join(node.config.speech.models.dir, name, "model_quantized.onnx"))
}

describe("detectSentenceModel", () => {
  it("finds nothing without an installed model", async () => {
    expect(await detectSentenceModel(node.config)).toBeNull()
    expect((await node.engines.getEmbedder()).name).toBe("builtin-v1")
  })
  it("finds an installed model of the catalog, which `auto` then uses", async () => {
    putCatalogModel("gte-small")
    expect(await detectSentenceModel(node.config)).toMatchObject({
      value: "gte-small",
      reason: expect.stringContaining("the model gte-small is installed"),
    })
    expect((await node.engines.getEmbedder()).name).toBe("onnx/gte-small")
  })
  it("prefers the model that SERVICE_EMBED_MODEL names", async () => {
    await node.end()
    await open({ SERVICE_EMBED_MODEL: "mine" })
    put("mine")
    putCatalogModel("gte-small")
    expect(await detectSentenceModel(node.config)).toMatchObject({ value: "mine" })
  })
  it("finds nothing if the group is disabled", async () => {
    await node.end()
    await open({ SERVICE_DISABLE_EXTRAS: "embed" })
    putCatalogModel("gte-small")
    expect(await detectSentenceModel(node.config)).toBeNull()
    await expect(requireSentenceModel(node.config, "gte-small")).rejects.toMatchObject({
      code: "capability_missing",
      message: expect.stringMatching(/group 'embed'.*SERVICE_DISABLE_EXTRAS/),
    })
  })
})

describe("requireSentenceModel", () => {
  it("accepts aliases, own folders and `onnx`", async () => {
    putCatalogModel("all-minilm-l6-v2")
    put("mine")
    expect(await requireSentenceModel(node.config, "minilm")).toBe("all-minilm-l6-v2")
    expect(await requireSentenceModel(node.config, "mine")).toBe("mine")
    expect(await requireSentenceModel(node.config, "onnx")).toBe("all-minilm-l6-v2")
  })
  it("says what there is instead of an unknown model or one for speech", async () => {
    for (const name of ["bert", "whisper-tiny", "../x"])
      await expect(requireSentenceModel(node.config, name)).rejects.toMatchObject({
        code: "invalid",
        message: expect.stringMatching(
          /There is no embedding model .*multilingual-e5-small, all-minilm-l6-v2, gte-small/,
        ),
      })
  })
  it("says that a missing model cannot be downloaded", async () => {
    await expect(requireSentenceModel(node.config, "gte-small")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/gte-small is not installed, and SERVICE_MODELS_OFFLINE/),
    })
  })
})

it("refuses a replaced file of the catalog, and keeps the embedder", async () => {
  putCatalogModel("gte-small")
  await node.store.installation.setChoice("embedder", { value: "builtin", reason: "test" })
  await node.addClip("a")
  const vector = Float32Array.of(1, 0)
  const chunks = [{ text: "notes", context: "", metadata: { title: "Notes" }, vector }]
  const document = { id: "d", kind: "file", source: "/notes.txt", fingerprint: "", embedModel: "builtin-v1" } as const
  await node.index.put({ ...document, chunks })
  expect(await setEngineChoice(node, { kind: "embedder", value: "gte-small" })).toMatchObject({
    is_pending: true,
    detail: expect.stringMatching(
      /^\d+ texts must be embedded with onnx.gte-small; until then the current embedder stays in use/,
    ),
  })
  await expect((await node.engines.findEmbedder("gte-small")).embed(["a"], "query")).rejects.toThrow(
    /The model gte-small is damaged \(model_quantized.onnx has a wrong checksum\).*earmark models pull gte-small/,
  )
  expect((await node.engines.getEmbedder()).name).toBe("builtin-v1")
})

it("embeds with an own model once a change is finished", async () => {
  put("mine")
  writeFileSync(join(node.config.speech.models.dir, "mine/notes.txt"), "")
  expect((await setEngineChoice(node, { kind: "embedder", value: "mine" })).is_pending).toBe(false)
  expect(await (await node.engines.getEmbedder()).embed(["a"], "query")).toHaveLength(1)
})
