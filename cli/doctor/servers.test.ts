import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { type OpenAiTestServer, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { checkOpenAiServers, checkReceivers } from "./servers.ts"

const log = createLogger("silent", "test")
let server: OpenAiTestServer
let dir: string
beforeAll(async () => {
  server = await startOpenAiServer({ apiKey: "sk-secret" })
  dir = mkdtempSync(join(tmpdir(), "earmark-doctor-"))
})
afterAll(async () => {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})
const config = (env: Record<string, string> = {}) => loadConfig({ SERVICE_DATA_DIR: dir, ...env })
const configured = (key: string, more: Record<string, string> = {}) =>
  config({ SERVICE_OPENAI_BASE_URL: server.url, SERVICE_OPENAI_API_KEY: key, ...more })

it("names the models of an OpenAI-compatible server, or says what is wrong without the key", async () => {
  expect(await checkOpenAiServers(config(), log)).toEqual([])
  expect(await checkOpenAiServers(configured("sk-secret"), log)).toEqual([
    { name: "openai", state: "ok", detail: `tiny at ${server.url}` },
    { name: "openai embeddings", state: "ok", detail: `tiny-embed at ${server.url}` },
  ])
  const wrong = await checkOpenAiServers(configured("sk-wrong", { SERVICE_PROVIDER: "openai" }), log)
  expect(wrong.map(({ state }) => state)).toEqual(["error", "warn"])
  expect(wrong[0]!.detail).toMatch(/rejected the API key \(HTTP 401\)\. Check SERVICE_OPENAI_API_KEY\.$/)
  expect(JSON.stringify(wrong)).not.toContain("sk-wrong")
})

it("says which machines get text, and that a server which was set later is not used", async () => {
  expect(await checkReceivers(config(), log)).toEqual([
    { name: "privacy", state: "ok", detail: "no text or audio leaves this machine" },
  ])
  const remote = config({ SERVICE_OPENAI_BASE_URL: "https://openrouter.ai/api/v1" })
  expect((await checkReceivers(remote, log)).map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/sent to openrouter\.ai, which writes topics/),
    expect.stringMatching(/sent to openrouter\.ai, which computes embeddings/),
  ])
  const node = await openNode(config(), log)
  await node.store!.installation.setChoice("provider", { value: "builtin", reason: "test" })
  await node.store!.installation.setChoice("embedder", { value: "builtin", reason: "test" })
  await node.close()
  expect(await checkReceivers(remote, log)).toEqual([
    { name: "privacy", state: "ok", detail: "no text or audio leaves this machine" },
    expect.objectContaining({ name: "engines", state: "warn", fix: expect.stringMatching(/set provider=openai/) }),
  ])
})
