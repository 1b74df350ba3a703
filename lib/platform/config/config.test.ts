import { expect, it } from "vitest"
import { loadConfig } from "./config.ts"

it("accepts a heartbeat of up to half the lease and rejects a longer one", () => {
  expect(loadConfig({ SERVICE_LEASE_S: "30" }).pipeline.heartbeatMs).toBe(10_000)
  expect(loadConfig({ SERVICE_LEASE_S: "30", SERVICE_HEARTBEAT_S: "15" }).pipeline.heartbeatMs).toBe(15_000)
  expect(() => loadConfig({ SERVICE_HEARTBEAT_S: "60" })).toThrow(
    'SERVICE_HEARTBEAT_S="60" must be at most half of SERVICE_LEASE_S, which is 30',
  )
})

it.each([
  ["SERVICE_SPEECH_URL", "http://user:secret@host:8000", /without a user name/],
  ["SERVICE_SPEECH_URL", "http://host:8000/v1?key=secret", /without a user name, a password, \? or #/],
  ["SERVICE_SPEECH_URL", "http://host:8000/#secret", /without a user name/],
  ["SERVICE_OPENAI_BASE_URL", "https://user:secret@host/v1", /without a user name/],
  ["SERVICE_OPENAI_EMBED_BASE_URL", "secret", /URL/i],
  ["SERVICE_OPENAI_API_KEY", "sk secret", /printable ASCII/],
  ["SERVICE_MODELS_MIRROR", "https://mirror.test/?secret", /without a user name/],
  ["SERVICE_SPEECH_API_KEY", "secret\nx: y", /printable ASCII/],
  ["SERVICE_SPEECH_API_KEY", "secret\n", /printable ASCII/],
  ["SERVICE_SPEECH_MODEL", "../../etc", /not a path/],
  ["SERVICE_SPEECH_MODEL", "/etc/passwd", /not a path/],
  ["SERVICE_DATABASE_URL", "mysql://me:secret@host/db", /must look like postgres:\/\//],
  ["SERVICE_DATABASE_URL", "postgres://me:secret%zz@host/db", /write %25/],
  ["SERVICE_BROKER_URL", "http://me:secret@host", /must look like amqp:\/\//],
] as const)("refuses %s=%j at start, with a sentence that keeps secrets", (name, value, sentence) => {
  const load = () => loadConfig({ [name]: value })
  expect(load).toThrow(sentence)
  expect(load).toThrow(name)
  expect(load).not.toThrow(/secret/)
})

it("accepts common URLs, keys and model names", () => {
  const { speech } = loadConfig({
    SERVICE_SPEECH_URL: "https://host/v1/",
    SERVICE_SPEECH_API_KEY: "sk-a_b.c=",
    SERVICE_SPEECH_MODEL: "Systran/faster-whisper-large-v3",
  })
  expect([speech.url, speech.apiKey, speech.model]).toEqual([
    "https://host/v1",
    "sk-a_b.c=",
    "Systran/faster-whisper-large-v3",
  ])
})

it("demands the address of a server for the provider openai", () => {
  expect(() => loadConfig({ SERVICE_PROVIDER: "openai" })).toThrow(
    'SERVICE_PROVIDER="openai" needs SERVICE_OPENAI_BASE_URL',
  )
  expect(loadConfig({ SERVICE_PROVIDER: "openai", SERVICE_OPENAI_BASE_URL: "http://host/v1/" }).models.openai).toEqual({
    url: "http://host/v1",
    embedUrl: "http://host/v1",
    apiKey: undefined,
    embedApiKey: undefined,
    context: undefined,
    llmModel: undefined,
    embedModel: undefined,
  })
})

it("gives the key of one server only to another address of the same server", () => {
  const embedApiKey = (url: string, more = {}) =>
    loadConfig({
      SERVICE_OPENAI_BASE_URL: "https://host/v1",
      SERVICE_OPENAI_API_KEY: "sk-a",
      SERVICE_OPENAI_EMBED_BASE_URL: url,
      ...more,
    }).models.openai?.embedApiKey
  expect(embedApiKey("https://host/embed/v1")).toBe("sk-a")
  expect(embedApiKey("https://other/v1")).toBeUndefined()
  expect(embedApiKey("http://host/v1")).toBeUndefined()
  expect(embedApiKey("https://other/v1", { SERVICE_OPENAI_EMBED_API_KEY: "sk-b" })).toBe("sk-b")
})

it("limits the overlap to half of the chunk size", () => {
  expect(loadConfig({}).documents.chunkOverlap).toBe(200)
  expect(loadConfig({ SERVICE_CHUNK_SIZE: "150" }).documents.chunkOverlap).toBe(75)
  expect(() => loadConfig({ SERVICE_CHUNK_OVERLAP: "900" })).toThrow(
    'SERVICE_CHUNK_OVERLAP="900" must be at most half of SERVICE_CHUNK_SIZE, which is 1000',
  )
})

it("refuses a path prefix with a sentence that says what to do instead", () => {
  expect(() => loadConfig({ SERVICE_BASE_PATH: "/earmark" })).toThrow(
    /SERVICE_BASE_PATH="\/earmark" is not supported: .* Give it a name of its own/,
  )
  expect(loadConfig({ SERVICE_BASE_PATH: "/" })).toEqual(loadConfig({}))
})
