// @vitest-environment happy-dom
import { screen } from "@testing-library/react"
import { useState } from "react"
import { describe, expect, it } from "vitest"
import type { Clip } from "#lib/domain/clips.ts"
import type { TopicDetail } from "#lib/domain/jobs/jobs.ts"
import { renderPage, stubApi } from "../../testing/render-page.tsx"
import { RecordingProvider } from "../recording-context.ts"
import { TopicDetailField } from "./TopicDetailField.tsx"

const clip = { id: "c1", duration_s: 60 } as Clip
const topic = (title: string, start_s: number, end_s: number) => ({ title, start_s, end_s })
const PATH = "/clips/c1/topics/preview"

const Field = ({ usesModel = false }: { usesModel?: boolean }) => {
  const [detail, setDetail] = useState<TopicDetail>("normal")
  return (
    <RecordingProvider value={{ clip, speakers: [], areSpeakersKnown: true }}>
      <TopicDetailField value={detail} onChange={setDetail} usesModel={usesModel} />
    </RecordingProvider>
  )
}

describe("TopicDetailField", () => {
  it("previews the topics of each choice", async () => {
    const children = [topic("Hull", 0, 20), topic("Mast", 20, 40)]
    const requests = stubApi({
      [PATH]: {
        topics: [
          { ...topic("Boat", 0, 40), children },
          { ...topic("Bees", 40, 60), children: [] },
        ],
      },
    })
    const { user } = renderPage(<Field usesModel />)
    expect((await screen.findByText("2 topics, 2 subtopics")).getAttribute("role")).toBe("status")
    expect(screen.getByText("Boat").closest("li")!.textContent).toBe("Boat0:00")
    expect(screen.getByText(/A language model may divide/)).toBeDefined()
    await user.click(screen.getByRole("radio", { name: "More" }))
    expect(await screen.findByText("2 topics, 2 subtopics")).toBeDefined()
    expect(requests).toEqual([`GET ${PATH}`, `GET ${PATH}`])
  })

  it("says that a recording has one topic only, or why there is no preview", async () => {
    stubApi({ [PATH]: { topics: [] } })
    renderPage(<Field />)
    expect(await screen.findByText("The builtin engine finds one topic only.")).toBeDefined()
    stubApi({})
    renderPage(<Field />)
    expect(await screen.findByText(`no response for ${PATH}`)).toBeDefined()
  })
})
