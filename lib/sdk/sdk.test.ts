import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { loadConfig } from "../platform/config/config.ts"
import { createLogger } from "../platform/logger.ts"
import { openNode } from "../services/installation/open-node.ts"
import { Earmark, type IngestProgress, type JobProgress, type QueryCitation, type QuerySource } from "./index.ts"

describe("Earmark", () => {
  let dir: string
  let earmark: Earmark
  beforeEach(() => {
    dir = join(mkdtempSync(join(tmpdir(), "earmark-sdk-")), "data")
    earmark = new Earmark(loadConfig(settings()))
  })
  afterEach(async () => {
    await earmark.close()
    rmSync(join(dir, ".."), { recursive: true, force: true })
  })
  const settings = () => ({
    SERVICE_DATA_DIR: dir,
    SERVICE_MODELS_OFFLINE: "true",
    SERVICE_PROVIDER: "builtin",
    SERVICE_INGEST_ROOTS: `${dir},${process.cwd()}`,
  })
  /** Opens the store as another process would. */
  const openAsOtherProcess = async <T>(at: (node: Awaited<ReturnType<typeof openNode>>) => Promise<T>): Promise<T> => {
    const node = await openNode(loadConfig(settings()), createLogger("silent", "test"))
    return at(node).finally(() => node.close())
  }
  const talk = "https://example.org/talk"

  it("generates topics from supplied words without opening a database", async () => {
    const { tree } = await earmark.generateTopics("talk", {
      transcription: speechWords(),
      provider: "builtin",
      persist: false,
    })
    expect(tree.topics[0]!.children.length).toBeGreaterThan(2)
    expect(existsSync(dir)).toBe(false)
  })

  it("stores words and topics by default, visible to other processes", async () => {
    const { session_id, tree } = await earmark.generateTopics(talk, { transcription: speechWords(), title: "A talk" })
    const clip = await openAsOtherProcess(({ store }) => store!.clips.get(session_id))
    expect(clip).toMatchObject({ title: "A talk", source_url: talk, tree })
    expect(clip!.topics.length).toBeGreaterThan(3)
  })

  it("exports the types of what its methods report", async () => {
    const stages: JobProgress["stage"][] = []
    const onProgress = ({ stage }: JobProgress) => void stages.push(stage)
    await earmark.generateTopics(talk, { transcription: speechWords(), onProgress })
    const files: IngestProgress["files"][] = []
    writeFileSync(join(dir, "notes.md"), "The mast of the boat is of spruce.")
    await earmark.ingest([dir], { onProgress: (progress: IngestProgress) => void files.push(progress.files) })
    const answer = await earmark.query("What is the mast made of?", { scope: "documents" })
    const [sources, citations]: [QuerySource[], QueryCitation[]] = [answer.sources, answer.citations]
    expect([new Set(stages).has("persist"), files.at(-1), sources.length, citations[0]?.source]).toEqual([
      true,
      1,
      1,
      1,
    ])
  })
  it("uses a stored transcript", async () => {
    const id = await earmark.persistTranscription(talk, speechWords({ subjects: 2 }))
    const transcription = await earmark.transcribe(talk)
    expect(transcription).toMatchObject({ session_id: id, kept: true, words: speechWords({ subjects: 2 }) })
    expect((await earmark.generateTopics(talk)).tree.topics[0]!.end_s).toBe(transcription.duration_s)
  })

  it("reads the transcript of another tool under a name that is no file, and marks estimated times", async () => {
    const vtt = "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ada>Bees dance to show the way\n"
    const id = await earmark.persistTranscription("name:crm-17", vtt)
    const clip = await openAsOtherProcess(({ store }) => store!.clips.get(id))
    expect(clip).toMatchObject({ title: "crm-17", file_path: null, source_url: null, estimated_times: true })
    expect(clip!.transcription.map((w) => w.speaker)).toEqual(Array(6).fill("Ada"))
    expect(await earmark.persistTranscription("/outside/of/roots.wav", vtt)).not.toBe(id)
    await expect(earmark.transcribe("name:other")).rejects.toThrow("'name:other' has no transcript yet")
  })

  it.each([null, ""])("detects the language if it is %j", async (language) => {
    await expect(earmark.transcribe(join(dir, "none.wav"), { language })).rejects.toThrow("no such file")
    const { session_id } = await earmark.generateTopics(talk, { transcription: speechWords(), language })
    expect((await openAsOtherProcess(({ store }) => store!.clips.get(session_id)))!.language).toBeNull()
  })

  it("stores a tree only for an existing clip", async () => {
    const words = speechWords()
    const { tree } = await earmark.generateTopics(talk, { transcription: words, persist: false })
    await expect(earmark.persistTopics(talk, tree)).rejects.toThrow(/unknown clip '.*': store its transcript first/)
    const id = await earmark.persistTranscription(talk, words)
    expect(await earmark.persistTopics(talk, tree)).toBe(id)
    expect((await openAsOtherProcess(({ store }) => store!.clips.get(id)))!.tree).toEqual(tree)
  })

  it("reruns topics from the stored words, keeps edits and stores both runs", async () => {
    const { session_id: id } = await earmark.generateTopics(talk, { transcription: speechWords() })
    await openAsOtherProcess(({ store }) => store!.topics.edit(id, "1.1", { title: "Mine" }))
    const { tree } = await earmark.rerunTopics(id, { min_subdivide_duration_s: 10_000 })
    const [clip, runs] = await openAsOtherProcess(async ({ store }) => [
      await store!.clips.get(id),
      await store!.topics.listRuns(id),
    ])
    expect(tree.topics[0]!.children[0]!.title).not.toBe("Mine")
    expect(clip!.tree.topics[0]!.children[0]!.title).toBe("Mine")
    expect(runs!.map((r) => r.settings?.min_subdivide_duration_s)).toEqual([10_000, 120])
    await expect(earmark.rerunTopics("nobody")).rejects.toThrow("unknown clip 'nobody'")
  })

  it("returns blocks of time with one line per speaker turn", async () => {
    const blocks = await earmark.transcribeBlocks(
      talk,
      // The supplied words are stored, and transcribeBlocks reads them.
      await earmark.persistTranscription(talk, speechWords()).then(() => ({ boundary_block_seconds: 60 })),
    )
    expect(blocks[0]).toMatchObject({
      start_s: 0,
      end_s: 60,
      text: expect.stringMatching(/^00:00-01:00 Speaker 1: the/),
    })
    expect(blocks[2]!.text.split("\n")).toEqual([
      expect.stringMatching(/^02:00-02:30 Speaker 1: /),
      expect.stringMatching(/^02:32-03:00 Speaker 2: /),
    ])
  })

  it("names the invalid option, word or source in errors", async () => {
    await expect(earmark.generateTopics(talk, { num_ctx_l1: 1 })).rejects.toThrow(/^num_ctx_l1: /)
    const word = { word: "a", start: 2, end: 1, speaker: "0" }
    await expect(earmark.persistTranscription(talk, [word])).rejects.toThrow(
      "transcription[0].end: must not be before the start of the word",
    )
    await expect(earmark.transcribe(join(dir, "none.wav"))).rejects.toThrow(`no such file: ${dir}/none.wav`)
  })
})
