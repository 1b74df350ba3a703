import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { loadConfig } from "../platform/config/config.ts"
import { createLogger } from "../platform/logger.ts"
import { openNode } from "../services/installation/open-node.ts"
import { Earmark } from "./index.ts"

describe("the SDK", () => {
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
  /** What another process sees. */
  const look = async <T>(at: (node: Awaited<ReturnType<typeof openNode>>) => Promise<T>): Promise<T> => {
    const node = await openNode(loadConfig(settings()), createLogger("silent", "test"))
    return at(node).finally(() => node.close())
  }
  const talk = "https://example.org/talk"

  it("makes topics of given words without opening a database", async () => {
    const { tree } = await earmark.generateTopics("talk", {
      transcription: speechWords(),
      provider: "builtin",
      persist: false,
    })
    expect(tree.topics[0]!.children.length).toBeGreaterThan(2)
    expect(existsSync(dir)).toBe(false)
  })

  it("keeps words and topics by default, for everybody to see", async () => {
    const { session_id, tree } = await earmark.generateTopics(talk, { transcription: speechWords(), title: "A talk" })
    const clip = await look(({ store }) => store!.clips.get(session_id))
    expect(clip).toMatchObject({ title: "A talk", source_url: talk, tree })
    expect(clip!.topics.length).toBeGreaterThan(3)
  })

  it("starts from words that are kept", async () => {
    const id = await earmark.persistTranscription(talk, speechWords({ subjects: 2 }))
    const heard = await earmark.transcribe(talk)
    expect(heard).toMatchObject({ session_id: id, kept: true, words: speechWords({ subjects: 2 }) })
    expect((await earmark.generateTopics(talk)).tree.topics[0]!.end_s).toBe(heard.duration_s)
  })

  it("keeps a tree for a clip that is known, and for no other", async () => {
    const words = speechWords()
    const { tree } = await earmark.generateTopics(talk, { transcription: words, persist: false })
    await expect(earmark.persistTopics(talk, tree)).rejects.toThrow(/unknown clip '.*': keep its transcript first/)
    const id = await earmark.persistTranscription(talk, words)
    expect(await earmark.persistTopics(talk, tree)).toBe(id)
    expect((await look(({ store }) => store!.clips.get(id)))!.tree).toEqual(tree)
  })

  it("makes topics anew from the words that are there, under what people wrote, and keeps both runs", async () => {
    const { session_id: id } = await earmark.generateTopics(talk, { transcription: speechWords() })
    await look(({ store }) => store!.topics.edit(id, "1.1", { title: "Mine" }))
    const { tree } = await earmark.rerunTopics(id, { min_subdivide_duration_s: 10_000 })
    const [clip, runs] = await look(async ({ store }) => [await store!.clips.get(id), await store!.topics.listRuns(id)])
    expect(tree.topics[0]!.children[0]!.title).not.toBe("Mine")
    expect(clip!.tree.topics[0]!.children[0]!.title).toBe("Mine")
    expect(runs!.map((r) => r.settings?.min_subdivide_duration_s)).toEqual([10_000, 120])
    await expect(earmark.rerunTopics("nobody")).rejects.toThrow("unknown clip 'nobody'")
  })

  it("gives words in blocks of time, a line a turn", async () => {
    const blocks = await earmark.transcribeBlocks(
      talk,
      // Words that are given are kept, and the next call reads them.
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

  it("names what is wrong with an option, a word or a source", async () => {
    await expect(earmark.generateTopics(talk, { num_ctx_l1: 1 })).rejects.toThrow(/^num_ctx_l1: /)
    const word = { word: "a", start: 2, end: 1, speaker: "0" }
    await expect(earmark.persistTranscription(talk, [word])).rejects.toThrow("transcription.0.end: a word ends before")
    await expect(earmark.transcribe(join(dir, "none.wav"))).rejects.toThrow(`no such file: ${dir}/none.wav`)
  })
})
