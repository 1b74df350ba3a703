import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { transcriptionSettings } from "../../domain/jobs/jobs.ts"
import type { NewClip } from "../../storage/stores/ports/clips.ts"
import { openTestNode, submittedJob, type TestNode } from "../testing/open-test-node.ts"
import { retranscribe } from "./retranscribe.ts"

const HASH = "ab".repeat(32)

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())

let clips = 0
const submit = async (clip: Partial<NewClip>, settings: object = {}) => {
  const id = `clip ${++clips}`
  await node.addClip(id, { title: "A talk", ...clip })
  const submitted = await retranscribe(node, { id }, transcriptionSettings.parse(settings))
  return { ...submitted, ...(await submittedJob(node.store, submitted.job_id)).job }
}

describe("retranscribe", () => {
  it("submits a job for the same clip that replaces its transcript, with the clip's title and language", async () => {
    const job = await submit({ file_path: node.at("talk.wav") }, { speech_engine: "sherpa" })
    expect(job).toMatchObject({
      session_id: `clip ${clips}`,
      sessionId: `clip ${clips}`,
      title: "A talk",
      options: { title: "A talk", language: "en", force_retranscribe: true, speech_engine: "sherpa" },
    })
  })

  it.each([
    [{ language: "de" }, "de"],
    [{ language: "" }, null],
    [{ language: null }, null],
  ])("lets the caller choose the language or its detection: %j", async (settings, language) => {
    const { options } = await submit({ file_path: node.at("talk.wav") }, settings)
    expect(options.language).toBe(language)
  })

  it("reads the recording from where it is", async () => {
    const own = node.at("talk.wav")
    const uploaded = node.blobs.addressOf(`${HASH}.wav`)
    const elsewhere = `/old/uploads/${HASH}.wav`
    const source_url = "https://example.org/a.mp3"
    const source = async (clip: Partial<NewClip>) => (await submit(clip)).source
    expect(await source({ file_path: own, source_url })).toEqual({ kind: "file", path: own })
    for (const path of [uploaded, elsewhere, "s3://bucket/recordings/a.wav"])
      expect(await source({ file_path: path })).toEqual({ kind: "upload", path, name: "A talk" })
    expect(await source({ source_url })).toEqual({ kind: "url", url: source_url })
    const youtube = "https://www.youtube.com/watch?v=abcdefghijk"
    expect(await source({ source_url: youtube })).toEqual({ kind: "youtube", url: youtube })
  })

  it("refuses a clip without a recording, one at a forbidden address, and an unknown one", async () => {
    await expect(submit({})).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/only a transcript$/),
    })
    await expect(submit({ source_url: "http://127.0.0.1/a.mp3" })).rejects.toThrow(/127\.0\.0\.1/)
    const settings = transcriptionSettings.parse({})
    await expect(retranscribe(node, { id: "x" }, settings)).rejects.toMatchObject({ status: 404 })
    const groups = { ...node.groups, broker: { state: "missing", detail: "x is missing.", install: "npm i" } as const }
    await expect(retranscribe({ ...node, groups }, { id: `clip ${clips}` }, settings)).rejects.toMatchObject({
      code: "capability_missing",
    })
  })
})
