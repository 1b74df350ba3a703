import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runCli } from "#test/fixtures/cli.ts"
import { openConnectProxy } from "#test/fixtures/connect-proxy.ts"
import { HOST_CERTIFICATE, HOST_NAME, openModelHost } from "#test/fixtures/model-host.ts"
import { startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { listedModel, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { putModels } from "#test/fixtures/speech-models.ts"
import { until } from "../speech/helpers.ts"

type Host = Awaited<ReturnType<typeof openModelHost>>
type ServerList = { servers: { models: { name: string; state: string }[] }[] }
type Listed = { models: { name: string; state: string; bytes: number; fetched_bytes: number; licence: string }[] }
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-models-"))
  // The models that every speech model needs are installed.
  putModels(join(dir, "models"), ["silero-vad"])
})
afterEach(() => rmSync(dir, { recursive: true }))

const earmark = (host: Host, args: readonly string[], env: Record<string, string> = {}) =>
  runCli(
    { SERVICE_DATA_DIR: dir, SERVICE_MODELS_MIRROR: host.url, SERVICE_OLLAMA_BASE_URL: "http://127.0.0.1:1", ...env },
    ["models", ...args],
  )
const isComplete = (host: Host): boolean =>
  [...host.files]
    .filter(([name]) => name.startsWith("tiny"))
    .every(([name, content]) => readFileSync(join(dir, "models/whisper-tiny", name)).equals(content))

describe("earmark models", { timeout: 120_000 }, () => {
  it("lists, pulls, resumes an interrupted pull, and removes models", async () => {
    const host = await openModelHost()
    mkdirSync(join(dir, "models/mine"))
    const listed = async (): Promise<Listed["models"]> => JSON.parse((await earmark(host, [])).out).models
    const stateOf = async (name: string) => (await listed()).find((m) => m.name === name)?.state
    const before = await listed()
    expect(before.find((m) => m.name === "whisper-tiny")).toMatchObject({ state: "absent", licence: "MIT" })
    expect(before.find((m) => m.name === "mine")?.state).toBe("own")

    const release = host.holdHalf("tiny-decoder.int8.onnx")
    const stopped = await runCli(
      { SERVICE_DATA_DIR: dir, SERVICE_MODELS_MIRROR: host.url },
      ["models", "pull", "tiny"],
      (child) =>
        void until(() => existsSync(join(dir, "models/.incoming/whisper-tiny/tiny-decoder.int8.onnx")), 60_000).then(
          () => setTimeout(() => child.kill("SIGINT"), 300),
        ),
    )
    expect([stopped.code, stopped.err]).toEqual([
      1,
      expect.stringContaining("Download stopped. Run the command again to resume it."),
    ])
    expect(await stateOf("whisper-tiny")).toBe("partial")
    release()

    const pulled = await earmark(host, ["pull", "tiny"])
    expect([pulled.code, JSON.parse(pulled.out).pulled[0]]).toEqual([
      0,
      { name: "tiny", folder: join(dir, "models/whisper-tiny") },
    ])
    expect(pulled.err).toMatch(/tiny .*MB in/)
    expect(isComplete(host)).toBe(true)
    expect(host.asksFor("tiny-encoder.int8.onnx")).toHaveLength(1)
    expect(host.asksFor("tiny-decoder.int8.onnx").at(-1)?.range).toMatch(/^bytes=[1-9]\d*-$/)

    expect(await earmark(host, ["remove", "whisper-tiny"])).toMatchObject({ code: 0 })
    expect(existsSync(join(dir, "models/whisper-tiny"))).toBe(false)
    expect(await earmark(host, ["remove", "whisper-tiny"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("The model 'whisper-tiny' is not installed"),
    })
    await host.close()
  })

  it("lists the models of the model servers, and lets Ollama pull one that is not in the catalog", async () => {
    const host = await openModelHost()
    const ollama = await startOllamaServer({ models: ["qwen3:8b"], registry: { gemma4: [6_000_000, 2_000_000] } })
    const openai = await startOpenAiServer({ models: [listedModel("tiny-embed")], apiKey: "secret-key" })
    const env = {
      SERVICE_OLLAMA_BASE_URL: ollama.url,
      SERVICE_OPENAI_BASE_URL: openai.url,
      SERVICE_OPENAI_API_KEY: "secret-key",
    }
    const names = async () => {
      const { servers } = JSON.parse((await earmark(host, ["list"], env)).out) as ServerList
      return servers.map(({ models }) => models.map(({ name, state }) => `${name} ${state}`))
    }
    expect(await names()).toEqual([
      ["qwen3:8b present", "gemma4:latest absent", "nomic-embed-text:latest absent"],
      ["tiny-embed present"],
    ])
    const pulled = await earmark(host, ["pull", "gemma4"], env)
    expect(pulled).toMatchObject({ code: 0, err: expect.stringMatching(/gemma4 .*8.0 MB in/) })
    expect(JSON.parse(pulled.out).pulled).toEqual([{ name: "gemma4", folder: `pulled by Ollama at ${ollama.url}` }])
    expect((await names())[0]).toContain("gemma4:latest present")
    expect(await earmark(host, ["pull", "gema4"], env)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Ollama at .* finds no model 'gema4'/),
    })
    await Promise.all([host.close(), ollama.close(), openai.close()])
  })

  it("explains an unknown name, a wrong checksum and a missing network", async () => {
    const host = await openModelHost()
    expect(await earmark(host, ["pull", "whisper-huge"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/There is no model 'whisper-huge' in the catalog.* `earmark models list` shows/),
    })
    host.trouble("tiny-encoder.int8.onnx", { kind: "corrupt", times: 99, after: 0 })
    expect(await earmark(host, ["pull", "tiny"])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Couldn't download the model whisper-tiny: .*wrong checksum.*SERVICE_MODELS_MIRROR/),
    })
    await host.close()
    expect(await earmark(host, ["pull", "tiny"])).toMatchObject({ code: 1, err: expect.stringMatching(/ECONNREFUSED/) })
    expect(existsSync(join(dir, "models/whisper-tiny"))).toBe(false)
  })

  it("pulls over TLS through a CONNECT proxy, from a host that this machine cannot resolve", async () => {
    const host = await openModelHost({ tls: true })
    const proxy = await openConnectProxy("se:cret", host.port)
    const secure = { NODE_EXTRA_CA_CERTS: HOST_CERTIFICATE }
    const pull = (env: Record<string, string>) => earmark(host, ["pull", "tiny"], env)

    expect(await pull({ ...secure, SERVICE_MODELS_PROXY: proxy.urlFor("wrong") })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the proxy 127\.0\.0\.1:\d+ returned HTTP 407/),
    })
    const distrusted = await pull({ SERVICE_MODELS_PROXY: proxy.urlFor("se%3Acret") })
    expect(distrusted).toMatchObject({ code: 1, err: expect.stringMatching(/certificate/) })
    expect(host.asked).toEqual([])

    const pulled = await pull({ ...secure, SERVICE_MODELS_PROXY: proxy.urlFor("se%3Acret") })
    expect([pulled.code, pulled.err]).toEqual([0, expect.stringContaining("MB in")])
    expect(isComplete(host)).toBe(true)
    expect(new Set(proxy.asked)).toEqual(new Set([`${HOST_NAME}:${host.port}`]))
    expect(`${distrusted.err}${pulled.err}${pulled.out}`).not.toContain("cret")
    await proxy.close()
    await host.close()
  })

  it("repairs a damaged model when it is pulled by name", async () => {
    const host = await openModelHost()
    await earmark(host, ["pull", "tiny"])
    writeFileSync(join(dir, "models/whisper-tiny/tiny-decoder.int8.onnx"), "broken")
    expect(await earmark(host, ["pull", "tiny"])).toMatchObject({ code: 0 })
    expect(isComplete(host)).toBe(true)
    await host.close()
  })
})
