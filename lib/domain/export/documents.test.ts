import { describe, expect, it } from "vitest"
import { TEXT_EXPORT_FORMATS } from "../constants.ts"
import { listChapters, toChapters, toFfmetadata, toYouTube } from "./chapters.ts"
import { escapeMarkdown } from "./escape-markdown.ts"
import { formatContentDisposition, safeFileName } from "./file-name.ts"
import { describeExport, exportText } from "./index.ts"
import { buildClip, buildWords } from "./testing/clip.ts"
import { toJson, toMarkdown, toTxt } from "./transcripts.ts"

const HOSTILE =
  "</script><img src=x onerror=alert(1)>\n\n1\n00:00:00,000 --> 99:00:00,000\nnot a cue\r\n# [x](javascript:y) =cmd|\ud800"

describe("text and Markdown", () => {
  it("list every turn with its time and speaker", () => {
    expect(toTxt(buildClip()).split("\n\n")).toEqual([
      "Boats and bees",
      "[0:00] Ada: Boats are built from wood, and they float because water pushes them up with all its might.",
      "[0:20] Grace: Do they?",
      "[0:40] Ada: Yes. Bees dance.\n",
    ])
  })
  it("place turns below their topics", () => {
    const md = toMarkdown(buildClip())
    expect(md.match(/^#+ .*$/gm)).toEqual([
      "# Boats and bees",
      "## Boats \\[0:00\\]",
      "### Wood \\[0:00\\]",
      "### Doubt \\[0:20\\]",
      "## Bees \\[0:40\\]",
    ])
    expect(md.indexOf("**Grace**")).toBeGreaterThan(md.indexOf("### Doubt"))
    expect(md.indexOf("**Grace**")).toBeLessThan(md.indexOf("## Bees"))
  })
  it("include words outside all topics", () => {
    const clip = buildClip({ transcription: [...buildWords("Before all.", 0), ...buildWords("After all.", 500)] })
    clip.tree.topics[0]!.children = [{ title: "Late", summary: "", start_s: 100, end_s: 200, children: [] }]
    for (const text of ["Before all", "After all"]) expect(toMarkdown(clip)).toContain(text)
    expect(toMarkdown(buildClip({ tree: { topics: [] } }))).toContain("Bees dance")
  })
  it("escape every special character", () => {
    expect(escapeMarkdown("1. <b>*x*</b> [a](b) `c` | # &amp;")).toBe(
      "1\\. \\<b\\>\\*x\\*\\</b\\> \\[a\\]\\(b\\) \\`c\\` \\| \\# \\&amp;",
    )
    expect(escapeMarkdown("- a")).toBe("\\- a")
  })
})

describe("the JSON export", () => {
  it("contains everything except the path of the file", () => {
    const data = JSON.parse(toJson(buildClip()))
    expect(data.speakers).toEqual({ "0": "Ada", "1": "Grace" })
    expect(data.segments.map((s: { name: string }) => s.name)).toEqual(["Ada", "Grace", "Ada"])
    expect(data.segments.flatMap((s: { words: { word: string }[] }) => s.words.map((w) => w.word))).toEqual(
      buildClip().transcription.map((w) => w.word),
    )
    expect(toJson(buildClip())).not.toContain("private")
  })
})

describe("chapters", () => {
  it("are the level 1 topics in order", () => {
    expect(JSON.parse(toChapters(buildClip()))).toEqual({
      version: "1.2.0",
      title: "Boats and bees",
      chapters: [
        { startTime: 0, endTime: 40, title: "Boats" },
        { startTime: 40, endTime: 90, title: "Bees" },
      ],
    })
    expect(toYouTube(buildClip())).toBe("0:00 Boats\n0:40 Bees\n")
  })
  it("escape special characters in titles for ffmpeg", () => {
    const clip = buildClip({ title: "Boats = bees; #1" })
    clip.tree.topics[0]!.children[1]!.title = "a\\b\n[CHAPTER]"
    expect(toFfmetadata(clip)).toBe(
      [
        ";FFMETADATA1",
        "title=Boats \\= bees\\; \\#1",
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=40000\ntitle=Boats",
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=40000\nEND=90000\ntitle=a\\\\b [CHAPTER]\n",
      ].join("\n"),
    )
  })
  it("start at 0:00 and last at least ten seconds for YouTube", () => {
    const clip = buildClip()
    const at = (title: string, start_s: number) => ({ title, summary: "", start_s, end_s: start_s + 1, children: [] })
    clip.tree.topics[0]!.children = [at("A", 4.2), at("B", 9), at("C", 10.9), at("D", 3700)]
    const long = { ...clip, duration_s: 4000 }
    expect(toYouTube(long)).toBe("0:00 A\n0:10 C\n1:01:40 D\n")
    expect(toYouTube({ ...long, duration_s: 3705 })).toBe("0:00 A\n0:10 C\n")
  })
  it("are a single chapter if there are no topics", () =>
    expect(listChapters(buildClip({ tree: { topics: [] } }))).toEqual([
      { title: "Boats and bees", start_s: 0, end_s: 90 },
    ]))
  it("are the recording if its topic has no subtopics, and have titles on one line", () => {
    const topic = { title: " One\n two ", summary: "", start_s: 5, end_s: 60, children: [] }
    const chaptersOf = (title: string) => listChapters(buildClip({ tree: { topics: [{ ...topic, title }] } }))
    expect(chaptersOf(topic.title)).toEqual([{ title: "One two", start_s: 5, end_s: 60 }])
    expect(chaptersOf(" \n ")).toMatchObject([{ title: "Untitled" }])
  })
})

describe("hostile titles", () => {
  const clip = buildClip({ title: HOSTILE, speakers: { "0": HOSTILE } })
  clip.tree.topics[0]!.children[0]!.title = HOSTILE.slice(0, 100)
  for (const format of TEXT_EXPORT_FORMATS)
    it(`add no line to a ${format} file`, () => {
      const text = exportText(clip, format)
      const { name } = describeExport(clip, format)
      const lines = text.split("\n")
      expect(lines).not.toContain("not a cue")
      expect(lines).not.toContain("00:00:00,000 --> 99:00:00,000")
      // Formats that are never rendered as HTML may contain markup characters.
      if (!["json", "chapters", "txt", "ffmetadata"].includes(format))
        expect(text.replace(/\\</g, "")).not.toContain("<img")
      expect(text).not.toMatch(/\p{Cs}/u)
      expect(name).toMatch(/^[^/\\:*?"<>|\n\r]+$/)
      expect(() => formatContentDisposition(name)).not.toThrow()
    })
  it.each([
    ["../../etc/cron.d/x", "etc-cron.d-x"],
    ["CON", "_CON"],
    ["  ...  ", "clip"],
    ["\u202Egpj.exe", "gpj.exe"],
    ["x".repeat(300), "x".repeat(100)],
    ["Grüße 🎧", "Grüße 🎧"],
    ["\ud800", "clip"],
  ])("%j becomes the file name %j", (title, name) => expect(safeFileName(title)).toBe(name))
  it("give a header with the name “clip” if no character is ASCII", () => {
    expect(formatContentDisposition("日本")).toBe(`attachment; filename="clip"; filename*=UTF-8''%E6%97%A5%E6%9C%AC`)
    expect(formatContentDisposition(".. a")).toMatch(/^attachment; filename="a"; /)
  })
  it("give an ASCII header without path separators, also from full-width characters", () => {
    expect(formatContentDisposition("．．／．．／etc／passwd.srt")).toContain('filename="etc-passwd.srt"')
    expect(formatContentDisposition('Grüße "🎧".srt')).toBe(
      `attachment; filename="Grue ".srt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22%F0%9F%8E%A7%22.srt`.replace(
        'Grue ".srt',
        "Grue .srt",
      ),
    )
  })
})
