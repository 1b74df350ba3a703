// @vitest-environment happy-dom
import { cleanup, screen, within } from "@testing-library/react"
import { afterEach, expect, it } from "vitest"
import type { EngineGroup } from "#lib/domain/engines.ts"
import type { ModelServer } from "#lib/domain/model-servers.ts"
import { renderPage, stubApi } from "../testing/render-page.tsx"
import { EnginesSection } from "./engines/EnginesSection.tsx"
import { ModelServers } from "./models/ModelServers.tsx"
import { findSettingsSection } from "./settings-sections.ts"
import { summarizeChecks } from "./system/SystemSection.tsx"
import { VocabularySection } from "./vocabulary/VocabularySection.tsx"

afterEach(cleanup)

const option = (value: string, patch: Partial<EngineGroup["options"][number]> = {}) => ({
  value,
  name: value,
  state: "ready" as const,
  detail: "runs in Earmark",
  quality: "compares words",
  speed: "fast",
  bytes: 0,
  models: [],
  sends_to: null,
  ...patch,
})
const chosen = { value: "builtin", reason: "test", chosen_at: "2026-11-24T10:00:00.000Z" }
const embedders: EngineGroup = {
  kind: "embedder",
  chosen,
  setting: null,
  options: [
    option("e5", { state: "download", bytes: 135e6, sends_to: "gpu.example" }),
    option("ollama", { state: "unavailable", detail: "not pulled" }),
    option("builtin"),
  ],
}
const installation = { embedder_change: null }

it("finds the section of an address", () => {
  expect([undefined, ["models"], ["nothing"], ["models", "x"], ["toString"]].map(findSettingsSection)).toEqual([
    "engines",
    "models",
    null,
    null,
    null,
  ])
})

it("says how many texts another embedder concerns before it is chosen", async () => {
  const change = { kind: "embedder", value: "e5", detail: "", texts: 2210, is_pending: true }
  const requests = stubApi({
    "/engines": { engines: [embedders] },
    "/engines/embedder": change,
    "/installation": installation,
  })
  const { user } = renderPage(<EnginesSection />)
  expect((await screen.findByRole<HTMLInputElement>("radio", { name: "builtin" })).checked).toBe(true)
  expect(screen.getByText("1 engine not available")).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>("ollama").disabled).toBe(true)
  expect(screen.getByText("gpu.example")).toBeTruthy()
  await user.click(screen.getByRole("radio", { name: "e5" }))
  const dialog = within(await screen.findByRole("dialog"))
  expect(dialog.getByText(/2,210 texts of your recordings and documents will be embedded anew/)).toBeTruthy()
  expect(requests).toContain('PATCH /engines/embedder {"value":"e5","dry_run":true}')
  await user.click(dialog.getByRole("button", { name: "Embed 2,210 texts" }))
  expect(requests).toContain('PATCH /engines/embedder {"value":"e5"}')
})

it("chooses a model of a server, and tests the one that is chosen", async () => {
  const provider: EngineGroup = {
    ...embedders,
    kind: "provider",
    chosen: { ...chosen, value: "ollama/qwen3:8b" },
    options: [option("ollama", { name: "Ollama", models: ["gemma4:latest", "qwen3:8b"] }), option("builtin")],
  }
  const requests = stubApi({
    "/engines": { engines: [provider] },
    "/engines/provider": { kind: "provider", value: "ollama/gemma4:latest", detail: "", texts: 0, is_pending: false },
    "/engines/provider/test": { ok: true, detail: "Wrote a title.", took_ms: 40 },
    "/installation": installation,
  })
  const { user } = renderPage(<EnginesSection />)
  expect((await screen.findByRole<HTMLInputElement>("radio", { name: "Ollama" })).checked).toBe(true)
  const models = screen.getByRole<HTMLSelectElement>("combobox", { name: "Model of Ollama" })
  expect(models.value).toBe("qwen3:8b")
  await user.click(screen.getByRole("button", { name: "Test Ollama" }))
  expect(requests).toContain('POST /engines/provider/test {"value":"ollama/qwen3:8b"}')
  await user.selectOptions(models, "gemma4:latest")
  expect(requests).toContain('PATCH /engines/provider {"value":"ollama/gemma4:latest"}')
  await user.selectOptions(models, "Model of the settings")
  expect(requests).toContain('PATCH /engines/provider {"value":"ollama"}')
})

it("shows how far a change is, and cancels it", async () => {
  const requests = stubApi({
    "/engines": { engines: [embedders] },
    "/engines/embedder": { kind: "embedder", value: "builtin", detail: "", texts: 0, is_pending: false },
    "/installation": { embedder_change: { value: "e5", done: 640, total: 2210 } },
  })
  const { user } = renderPage(<EnginesSection />)
  const bar = await screen.findByRole("progressbar", { name: "Embedding texts with e5" })
  expect(bar.getAttribute("aria-valuenow")).toBe("29")
  await user.click(screen.getByRole("button", { name: "Cancel the change" }))
  expect(requests).toContain('PATCH /engines/embedder {"value":"builtin"}')
})

it("shows what a test of an engine gave", async () => {
  stubApi({
    "/engines": { engines: [{ ...embedders, setting: "SERVICE_PROVIDER" }] },
    "/engines/embedder/test": { ok: false, detail: "the model is not downloaded.", took_ms: 1240 },
    "/installation": installation,
  })
  const { user } = renderPage(<EnginesSection />)
  await user.click(await screen.findByRole("button", { name: "Test e5" }))
  expect(await screen.findByText(/^The model is not downloaded\. *\(1\.2 s\)/)).toBeTruthy()
  expect(screen.getByText("SERVICE_PROVIDER")).toBeTruthy()
})

it("lists the models of a server, and pulls one by name", async () => {
  const server: ModelServer = {
    provider: "ollama",
    uses: ["language", "embedding"],
    url: "http://127.0.0.1:11434",
    state: "ok",
    can_pull: true,
    models: [
      {
        name: "gemma4:latest",
        use: "language",
        bytes: 8e6,
        context: null,
        state: "absent",
        in_use: false,
        pulling: true,
        fetched_bytes: 2e6,
      },
    ],
  }
  const requests = stubApi({
    "/model-servers": { servers: [server] },
    "/models/qwen3:8b/pull": { pulling: "qwen3:8b" },
  })
  const { user } = renderPage(<ModelServers />)
  expect((await screen.findByRole("progressbar")).getAttribute("aria-valuenow")).toBe("25")
  await user.type(screen.getByLabelText("Download another model"), "qwen3:8b{Enter}")
  expect(requests.some((request) => /POST \/models\/qwen3(:|%3A)8b\/pull/.test(request))).toBe(true)
})

it("adds, changes and suggests entries of the vocabulary", async () => {
  const entry = { id: "e1", term: "Ada Lovelace", sounds_like: ["a da"], created_at: "2026-11-24T10:00:00.000Z" }
  const requests = stubApi({
    "/vocabulary": { entries: [entry] },
    "/vocabulary/e1": entry,
    "/vocabulary/suggestions": { suggestions: [{ term: "Kubernetes", sounds_like: "cuban eddies", count: 2 }] },
  })
  const { user } = renderPage(<VocabularySection />)
  await user.type(screen.getByLabelText("Name or term"), " Grace Hopper ")
  await user.type(screen.getByLabelText(/^Written instead/), "grace hop her, grays hopper,{Enter}")
  expect(requests).toContain('POST /vocabulary {"term":"Grace Hopper","sounds_like":["grace hop her","grays hopper"]}')
  expect((await screen.findByLabelText<HTMLInputElement>("Name or term")).value).toBe("")
  await user.click(await screen.findByRole("button", { name: "Always write Kubernetes for cuban eddies" }))
  expect(requests).toContain('POST /vocabulary {"term":"Kubernetes","sounds_like":["cuban eddies"]}')
  await user.click(await screen.findByRole("button", { name: "Edit Ada Lovelace" }))
  const row = within(screen.getByRole("list", { name: "Entries" }))
  await user.type(row.getByLabelText(/^Written instead/), ", aida")
  await user.click(row.getByRole("button", { name: "Save" }))
  expect(requests).toContain('PATCH /vocabulary/e1 {"term":"Ada Lovelace","sounds_like":["a da","aida"]}')
  await user.click(await screen.findByRole("button", { name: "Remove Ada Lovelace" }))
  expect(requests).toContain("DELETE /vocabulary/e1")
})

it("summarizes the checks in one line", () => {
  const ok = { state: "ok" as const }
  const checks = {
    store: ok,
    broker: ok,
    worker: ok,
    speech: ok,
    models: ok,
    blobs: ok,
    telemetry: { state: "absent" as const },
  }
  expect(summarizeChecks(checks)).toBe("All 6 parts work, 1 off")
  expect(summarizeChecks({ ...checks, models: { state: "down" } })).toBe("1 part of 7 needs attention: Language model")
})
