import { hostname } from "node:os"
import { expect, it } from "vitest"
import { loadConfig } from "../../platform/config/config.ts"
import { listReceivers } from "./receivers.ts"

const all = (engine: string) => ({ provider: engine, embedder: engine, speech: engine })

it("names the other machines that get text or audio, and which are not encrypted", () => {
  const config = loadConfig({
    SERVICE_OPENAI_BASE_URL: "https://openrouter.ai/api/v1",
    SERVICE_OPENAI_EMBED_BASE_URL: "http://gpu-box:8080",
    SERVICE_SPEECH_URL: "https://speech.example.org",
  })
  expect(listReceivers(config, all("openai")).map(({ detail }) => detail)).toEqual([
    "The text of recordings, documents and questions is sent to openrouter.ai, which writes topics and answers.",
    "The text of recordings, documents and questions is sent to gpu-box:8080, which computes embeddings, without encryption.",
    "The audio of recordings is sent to speech.example.org, which transcribes them.",
  ])
  expect(listReceivers(config, all("auto"))).toHaveLength(3)
  expect(listReceivers(config, all("builtin"))).toEqual([])
})

it.each(["http://127.0.0.1:8080", "http://localhost:8080", `http://${hostname()}:80`, "http://[::1]:8080"])(
  "does not name this machine, %s",
  (url) => {
    const config = loadConfig({ SERVICE_OPENAI_BASE_URL: url, SERVICE_OLLAMA_BASE_URL: url, SERVICE_SPEECH_URL: url })
    for (const engine of ["openai", "ollama", "auto"]) expect(listReceivers(config, all(engine))).toEqual([])
  },
)

it("names an Ollama server on another machine", () => {
  const config = loadConfig({ SERVICE_OLLAMA_BASE_URL: "http://10.0.0.7:11434" })
  expect(listReceivers(config, { provider: "ollama" })).toMatchObject([{ host: "10.0.0.7:11434", engine: "provider" }])
})
