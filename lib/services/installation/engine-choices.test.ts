import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"
import type { ChoiceKind } from "../../domain/installation.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { CHOICE_KINDS, listEngineChoices, setEngineChoice } from "./engine-choices.ts"

let ollama: OllamaServer
let node: TestNode
beforeAll(async () => {
  ollama = await startOllamaServer()
})
afterAll(() => ollama.close())
beforeEach(async () => {
  node = await openTestNode({
    SERVICE_PROVIDER: "auto",
    SERVICE_OLLAMA_BASE_URL: ollama.url,
    SERVICE_DISABLE_EXTRAS: "audio",
  })
})
afterEach(() => node.end())

const set = (kind: string, value: string, deps = node) => setEngineChoice(deps, { kind, value })
const choose = (kind: ChoiceKind, value: string) => node.store.installation.setChoice(kind, { value, reason: "test" })
const chosenValue = async (kind: ChoiceKind) => (await listEngineChoices(node)).find((row) => row.kind === kind)!.value

const listStored = async () =>
  (await node.store.installation.listChoices()).map(({ kind, value }) => [kind, value]).sort()

describe("listEngineChoices", () => {
  it("returns each kind with its reason, and when it was chosen", async () => {
    await choose("embedder", "builtin")
    const config = {
      ...node.config,
      models: { ...node.config.models, provider: "builtin" as const },
      speech: { ...node.config.speech, engine: "auto" as const },
    }
    expect(await listEngineChoices({ ...node, config })).toEqual([
      { kind: "provider", value: "builtin", reason: "set by the environment" },
      { kind: "embedder", value: "builtin", reason: expect.stringMatching(/^test \(20\d\d-.*Z\)$/) },
      { kind: "speech", value: "auto", reason: "not chosen yet: the first job decides" },
    ])
    expect((await listEngineChoices(node)).map(({ value }) => value)).toEqual(["auto", "builtin", "auto"])
  })
})

describe("setEngineChoice", () => {
  it("sets and removes a choice of every kind", async () => {
    for (const kind of ["provider", "embedder"] as const) {
      await set(kind, "builtin")
      expect(await node.store.installation.listChoices()).toContainEqual(
        expect.objectContaining({ kind, value: "builtin", reason: "chosen by a person" }),
      )
    }
    await set("provider", "auto")
    expect([await chosenValue("provider"), await chosenValue("embedder")]).toEqual(["auto", "builtin"])
    await choose("speech", "pocketsphinx")
    expect(await set("speech", "auto")).toEqual({
      kind: "speech",
      value: "auto",
      detail: "speech is now auto; existing transcripts do not change",
      texts: 0,
      is_pending: false,
    })
    expect(await chosenValue("speech")).toBe("auto")
  })

  it("counts the texts that another embedding model has to embed, and with a dry run changes nothing", async () => {
    await choose("embedder", "builtin")
    await node.addClip("a")
    const request = { kind: "embedder", value: "ollama", isDryRun: true }
    const change = await setEngineChoice(node, request)
    expect(change).toMatchObject({
      value: "ollama",
      is_pending: true,
      detail: expect.stringMatching(/^\d+ texts must be/),
    })
    expect(change.texts).toBeGreaterThan(1)
    expect(await listStored()).toEqual([["embedder", "builtin"]])
    expect(await setEngineChoice(node, { ...request, isDryRun: false })).toEqual(change)
    expect(await listStored()).toEqual([
      ["embedder", "builtin"],
      ["next_embedder", "ollama"],
    ])
    expect(await set("embedder", "builtin")).toMatchObject({ texts: 0, is_pending: false })
    expect(await listStored()).toEqual([["embedder", "builtin"]])
  })

  it("refuses a choice that a setting determines", async () => {
    const config = { ...node.config, models: { ...node.config.models, provider: "builtin" as const } }
    await expect(set("provider", "ollama", { ...node, config })).rejects.toMatchObject({
      code: "conflict",
      message: "SERVICE_PROVIDER determines the engine. Unset it to choose one.",
    })
  })

  it("accepts Ollama only if its server answers", async () => {
    expect((await set("provider", "ollama")).detail).toMatch(/^provider is now ollama/)
    const models = { ...node.config.models, ollamaUrl: "http://127.0.0.1:9" }
    const deps = { ...node, config: { ...node.config, models } }
    for (const kind of ["provider", "embedder"])
      await expect(set(kind, "ollama", deps)).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/^Ollama is not reachable at http:\/\/127\.0\.0\.1:9\. Start it/),
      })
    await expect(set("provider", "builtin", deps)).resolves.toBeDefined()
  })

  it("rejects engines that cannot run, and unknown ones", async () => {
    const unavailable = { code: "unavailable", message: expect.stringContaining("audio") }
    await expect(set("speech", "sherpa")).rejects.toMatchObject(unavailable)
    expect(await chosenValue("speech")).toBe("auto")
    await expect(set("speech", "builtin")).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^speech 'builtin' .*sherpa/),
    })
    await expect(set("provider", "sherpa")).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^provider 'sherpa' .*ollama/),
    })
    await expect(set("color", "red")).rejects.toMatchObject({
      code: "invalid",
      message: `unknown kind 'color'; kinds are ${CHOICE_KINDS.join(", ")}`,
    })
  })
})
