import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import type { TopicRunList } from "#lib/api/topics.ts"
import { uuid5 } from "#lib/domain/ids.ts"
import type { TopicDiff } from "#lib/domain/topics/compare-trees.ts"
import type { ClipTopics } from "#lib/domain/topics/topic-edits.ts"
import type { TopicTree } from "#lib/domain/topics/topic-tree.ts"
import { runCli } from "#test/fixtures/cli.ts"
import { speechWords } from "#test/fixtures/speech-words.ts"

const dir = mkdtempSync(join(tmpdir(), "earmark-topics-cli-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const run = (...args: string[]) => runCli({ SERVICE_DATA_DIR: join(dir, "data"), SERVICE_PROVIDER: "builtin" }, args)
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, out, err } = await run(...args)
  expect([code, err]).toEqual([0, expect.any(String)])
  return JSON.parse(out) as T
}

it("generate-topics reads subtitles under a name that is no file, and says what is wrong with a file", async () => {
  const [srt, text] = [join(dir, "call.srt"), join(dir, "call.txt")]
  writeFileSync(srt, "\ufeff1\r\n00:00:01,000 --> 00:01:00,000\r\nBees dance to show where the flowers are.\r\n")
  writeFileSync(text, "Bees dance.")
  const given = ["generate-topics", "name:crm-17", "--language", "", "--no-persist", "--transcription"]
  expect((await json<TopicTree>(...given, srt)).topics[0]).toMatchObject({ start_s: 0, end_s: 60 })
  const { code, err } = await run(...given, text)
  expect([code, err]).toEqual([expect.any(Number), expect.stringContaining("the text of an SRT or WebVTT file")])
  expect(code).not.toBe(0)
})

it("the command line shows, edits, re-runs and compares topics", { timeout: 120_000 }, async () => {
  const source = "https://example.org/talk"
  const clip = uuid5(source)
  const words = join(dir, "words.json")
  writeFileSync(words, JSON.stringify(speechWords()))
  const tree = await json<TopicTree>("generate-topics", source, "--transcription", words)
  const before = join(dir, "before.json")
  writeFileSync(before, JSON.stringify(tree))

  const edited = await json<ClipTopics>("topics", "edit", clip, "1.2", "--title", "Mine", "--start", "2:40")
  expect(edited.edits.map((e) => [e.kind, e.topic])).toEqual([
    ["text", "1.2"],
    ["border", "1.2"],
  ])
  const rerun = await json<TopicTree>("topics", "rerun", clip, "--min-subdivide-duration-s", "10000")
  expect(rerun.topics[0]!.children[1]!.title).not.toBe("Mine")
  expect((await json<ClipTopics>("topics", "show", clip)).tree.topics[0]!.children[1]!.title).toBe("Mine")

  const { runs } = await json<TopicRunList>("topics", "runs", clip)
  expect(runs).toHaveLength(2)
  const between = await json<TopicDiff>("topics", "diff", runs[1]!.id, runs[0]!.id)
  expect(between.topics.agreement).toMatchObject({ f1: 1, pk: 0 })
  const shown = await json<TopicDiff>("topics", "diff", before, clip, "--tolerance", "30")
  expect(shown.topics.moved).toEqual([{ from_s: tree.topics[0]!.children[1]!.start_s, to_s: expect.closeTo(160, 0) }])
  expect(shown.titles).toContainEqual(expect.objectContaining({ number_b: "1.2", title_b: "Mine" }))

  const topicsOf = ({ tree }: ClipTopics) => tree.topics[0]!.children
  const added = await json<ClipTopics>("topics", "add", clip, "0:40", "--title", "Added")
  expect(added.tree.topics[0]!.children[1]).toMatchObject({ title: "Added", start_s: expect.closeTo(40, 0) })
  const merged = await json<ClipTopics>("topics", "merge", clip, "1.2", "--next")
  expect(merged.tree.topics[0]!.children[1]).toMatchObject({ title: "Added", end_s: topicsOf(added)[2]!.end_s })
  expect((await json<ClipTopics>("topics", "undo", clip)).tree).toEqual(added.tree)
  expect((await json<ClipTopics>("topics", "redo", clip)).tree).toEqual(merged.tree)
  await json<ClipTopics>("topics", "undo", clip)
  expect(await json<ClipTopics>("topics", "undo", clip)).toMatchObject({ can_redo: true, edits: edited.edits })
  const wrong = await run("topics", "merge", clip, `1.${topicsOf(edited).length}`, "--next")
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("has no next neighbor")])

  const reset = await json<ClipTopics>("topics", "reset", clip, "1.2")
  expect(reset.edits).toEqual([])
  for (const [args, message] of [
    [["edit", clip, "1.2", "--start", "x"], "minutes:seconds"],
    [["edit", clip, "7", "--title", "x"], "the number of a topic"],
    [["edit", clip, "1.2", "--title", " "], "--title"],
    [["diff", "nothing", clip], "not a topic run, clip or file"],
    [["diff", words, clip], "no topic tree"],
  ] as const) {
    const { code, err } = await run("topics", ...args)
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining(message)])
    expect(code).toBeGreaterThan(0)
  }
})
