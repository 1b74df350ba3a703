import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCli } from "#test/fixtures/cli.ts"
import { openSpeechServer } from "#test/fixtures/speech-server.ts"

let dir: string
let speech: Awaited<ReturnType<typeof openSpeechServer>>

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "earmark-demo-"))
  speech = await openSpeechServer()
  const words = "The hull of the boat is tarred in May.".split(" ")
  speech.onTranscribe(() => ({
    body: { text: words.join(" "), words: words.map((word, i) => ({ word, start: i, end: i + 1 })) },
  }))
})
afterAll(async () => {
  await speech?.close()
  rmSync(dir, { recursive: true, force: true })
})

it("shows its recording on a service that only stored tokens protect, and leaves no token behind", async () => {
  const env = {
    SERVICE_DATA_DIR: dir,
    SERVICE_SPEECH_URL: speech.url,
    SERVICE_SPEECH_ENGINE: "openai",
    SERVICE_PROVIDER: "builtin",
    SERVICE_MODELS_OFFLINE: "true",
    SERVICE_PORT: "0",
  }
  const created = await runCli(env, ["tokens", "create", "me", "--scope", "admin"])
  expect(created.code, created.err).toBe(0)
  const { code, out, err } = await runCli(env, ["demo", "--exit"])
  expect(code, err).toBe(0)
  expect(out).toContain("0:00")
  expect(err).toContain("earmark tokens create")
  const { tokens } = JSON.parse((await runCli(env, ["tokens", "list", "--json"])).out)
  expect(tokens.map(({ name }: { name: string }) => name)).toEqual(["me"])
})
