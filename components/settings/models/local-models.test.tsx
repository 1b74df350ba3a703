// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react"
import { expect, it } from "vitest"
import type { SpeechModel } from "#lib/domain/speech-models.ts"
import { renderPage, stubApi } from "../../testing/render-page.tsx"
import { LocalModels } from "./LocalModels.tsx"

const model = (patch: Partial<SpeechModel>): SpeechModel => ({
  name: "whisper-tiny",
  use: "speech",
  purpose: "transcribes 99 languages",
  bytes: 100_000_000,
  fetched_bytes: 0,
  languages: null,
  licence: "MIT",
  state: "absent",
  in_use: false,
  pulling: false,
  ...patch,
})

it("lists embedding models by themselves, says which is in use, and downloads one", async () => {
  const e5 = model({ name: "multilingual-e5-small", use: "embedding", state: "present", in_use: true })
  const gte = model({ name: "gte-small", use: "embedding" })
  const requests = stubApi({
    "/models": { models: [model({}), e5, gte], offline: false },
    "/models/gte-small/pull": { pulling: "gte-small" },
  })
  const { user } = renderPage(<LocalModels />)
  const section = within(await screen.findByRole("region", { name: "Embedding models" }))
  await section.findByText("multilingual-e5-small")
  expect(section.getAllByRole("listitem").map((row) => row.dataset.model)).toEqual([
    "multilingual-e5-small",
    "gte-small",
  ])
  expect(section.getByText(/100 MB · in use/)).toBeTruthy()
  expect(within(screen.getByRole("region", { name: "Speech models" })).getAllByRole("listitem")).toHaveLength(1)
  await user.click(section.getByRole("button", { name: "Download gte-small" }))
  expect(requests).toContain("POST /models/gte-small/pull")
})
