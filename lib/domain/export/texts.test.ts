import { describe, expect, it } from "vitest"
import { EXPORT_FORMATS } from "../constants.ts"
import type { TopicNode } from "../topics/topic-tree.ts"
import { listChapters, toChapters, toFfmetadata, toYouTube } from "./chapters.ts"
import { createSpeakerNamer, formatSubtitleTime, oneLine } from "./clip-text.ts"
import { escapeMarkdown } from "./escape-markdown.ts"
import { formatContentDisposition, safeFileName } from "./file-name.ts"
import { describeExport } from "./index.ts"
import { groupByUtterance, listSpeakerTurns } from "./speaker-turns.ts"
import { buildClip, buildWords } from "./testing/clip.ts"
import { toJson, toMarkdown, toTxt } from "./transcripts.ts"

const topic = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: "",
  start_s,
  end_s,
  children,
})
const clipWith = (topics: TopicNode[], duration_s = 90) =>
  buildClip({ duration_s, tree: { topics: [topic("All", 0, duration_s, topics)] } })

describe("a subtitle time", () => {
  it.each([
    [0, "00:00:00,000"],
    [-3, "00:00:00,000"],
    [59.9994, "00:00:59,999"],
    [3661.25, "01:01:01,250"],
    [36_000.005, "10:00:00,005"],
  ])("of %d s is %s", (seconds, text) => {
    expect(formatSubtitleTime(seconds, ",")).toBe(text)
    expect(formatSubtitleTime(seconds, ".")).toBe(text.replace(",", "."))
  })
})

describe("the name of a speaker", () => {
  const namesOf = (ids: string[], speakers: Record<string, string>) => {
    const transcription = ids.map((speaker, i) => ({ word: "a", start: i, end: i + 1, speaker }))
    return ids.map(createSpeakerNamer(buildClip({ transcription, speakers })))
  }

  it("is the given one, else a number from 1, else the ID", () => {
    expect(namesOf(["0", "11", "1234567", "toString", "\n"], { "0": " Ada\nL. " })).toEqual([
      "Ada L.",
      "Speaker 12",
      "1234567",
      "toString",
      "Speaker",
    ])
  })

  it("is missing for a single speaker without a name", () => {
    expect(namesOf(["0"], {})).toEqual([null])
    expect(namesOf(["0"], { "0": " " })).toEqual([null])
    expect(namesOf(["0"], { "0": "Ada" })).toEqual(["Ada"])
    expect(namesOf(["0", "1"], {})).toEqual(["Speaker 1", "Speaker 2"])
  })

  it("is on one line, and unpaired surrogates are replaced", () => {
    expect(oneLine(" a\u0000\u2028b \t c\ud800 ")).toBe("a b c\ufffd")
  })
})

describe("the turns of a transcript", () => {
  const minute = (from: number, speaker = "0") => [{ word: "So.", start: from, end: from + 1, speaker }]

  it("begin with each speaker, and in a monologue with the first sentence after a minute", () => {
    const transcription = [
      ...minute(0),
      ...minute(59),
      ...minute(60),
      ...minute(100),
      ...minute(101, "1"),
      ...minute(103, "0"),
    ]
    const turns = listSpeakerTurns(buildClip({ transcription }))
    expect(turns.map(({ start_s, end_s, name }) => [start_s, end_s, name])).toEqual([
      [0, 60, "Ada"],
      [60, 101, "Ada"],
      [101, 102, "Grace"],
      [103, 104, "Ada"],
    ])
    expect(turns[0]).toMatchObject({ speaker: "0", text: "So. So." })
    expect(turns[0]!.words).toHaveLength(2)
  })

  it("end with the word that ends last", () => {
    const transcription = [
      { word: "Long", start: 0, end: 9, speaker: "0" },
      { word: "short.", start: 1, end: 2, speaker: "0" },
    ]
    expect(listSpeakerTurns(buildClip({ transcription }))[0]).toMatchObject({ end_s: 9 })
    expect(groupByUtterance(transcription)).toEqual([transcription])
  })
})

describe("plain text", () => {
  it("has no names for a single speaker without one", () => {
    const clip = buildClip({ title: "A\nB", speakers: {}, transcription: buildWords("Only me.", 65) })
    expect(toTxt(clip)).toBe("A B\n\n[1:05] Only me.\n")
  })
})

describe("Markdown", () => {
  it("has titles, times, summaries and the words of each innermost topic", () => {
    const clip = buildClip({ speakers: { "0": "A*da" } })
    const words = clip.transcription
    clip.tree.topics[0]!.summary = "All of it."
    clip.tree.topics[0]!.children[1]!.summary = ""
    expect(toMarkdown(clip)).toBe(
      [
        "# Boats and bees",
        "All of it.",
        "## Boats \\[0:00\\]",
        "*About Boats.*",
        "### Wood \\[0:00\\]",
        "*About Wood.*",
        `**A\\*da** \\[0:00\\] ${words
          .slice(0, -5)
          .map(({ word }) => word)
          .join(" ")}`,
        "### Doubt \\[0:20\\]",
        "*About Doubt.*",
        "**Speaker 2** \\[0:20\\] Do they?",
        "## Bees \\[0:40\\]",
        "**A\\*da** \\[0:40\\] Yes. Bees dance.\n",
      ].join("\n\n"),
    )
  })

  it("places a word at a boundary in the later topic, once", () => {
    const clip = { ...clipWith([topic("A", 0, 1), topic("B", 1, 2)]), speakers: {} }
    clip.transcription = [0, 1, 2].map((at) => ({ word: `word${at}.`, start: at, end: at + 0.5, speaker: "0" }))
    expect(toMarkdown(clip)).toBe(
      "# Boats and bees\n\n## A \\[0:00\\]\n\n\\[0:00\\] word0.\n\n## B \\[0:01\\]\n\n\\[0:01\\] word1. word2.\n",
    )
  })

  it.each([
    ["12. b", "12\\. b"],
    ["1.5 m", "1\\.5 m"],
    ["+ a", "\\+ a"],
    ["= a - b + c", "\\= a - b + c"],
    ["a. 1. $x ~y !z", "a. 1. \\$x \\~y \\!z"],
    ["a\nb", "a b"],
  ])("escapes %j", (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped)
  })
})

describe("JSON", () => {
  it("has the data of the recording, and words by turn", () => {
    const transcription = buildWords("Hello there.", 3)
    const { segments, speakers, topics, ...rest } = JSON.parse(toJson(buildClip({ transcription, speakers: {} })))
    expect(rest).toEqual({
      id: "0199c0de-5f3a-5c1e-8a55-3f1d2b9e7a10",
      title: "Boats and bees",
      source_url: null,
      created_at: "2026-01-02T03:04:05.000Z",
      duration_s: 90,
      language: "en",
    })
    expect(topics).toEqual(buildClip().tree.topics)
    expect(speakers).toEqual({ "0": null })
    expect(segments).toEqual([
      {
        speaker: "0",
        name: null,
        start_s: 3,
        end_s: transcription[1]!.end,
        text: "Hello there.",
        words: transcription.map(({ word, start, end }) => ({ word, start, end })),
      },
    ])
  })
})

describe("chapters", () => {
  it("are sorted, begin at 0 or later, and have no end that is not after their start", () => {
    const clip = clipWith([topic("B", 20.00049, 20), topic("A", -1, 19.9999)])
    expect(JSON.parse(toChapters(clip)).chapters).toEqual([
      { startTime: 0, endTime: 20, title: "A" },
      { startTime: 20, title: "B" },
    ])
    expect(JSON.parse(toChapters({ ...clip, title: "A\nB" })).title).toBe("A B")
  })

  it("are a single untitled one if neither topics nor clip have a title", () => {
    expect(listChapters(buildClip({ title: " ", tree: { topics: [] } }))).toEqual([
      { title: "Untitled", start_s: 0, end_s: 90 },
    ])
  })

  it("end in ffmpeg's format no later than the next begins, and the last one with the recording", () => {
    const times = (topics: TopicNode[], duration_s: number) =>
      toFfmetadata(clipWith(topics, duration_s)).match(/(START|END)=\d+/g)
    expect(times([topic("A", 0, 30.5), topic("B", 20.25, 25), topic("C", 30, 30)], 60)).toEqual([
      ...["START=0", "END=20250"],
      ...["START=20250", "END=25000"],
      ...["START=30000", "END=60000"],
    ])
    expect(times([topic("A", 5, 8)], 0)).toEqual(["START=5000", "END=8000"])
    expect(times([topic("A", 5, 4)], 0)).toEqual(["START=5000", "END=5000"])
  })

  it("are at least ten seconds long for YouTube, also the last one", () => {
    const at = (...starts: number[]) => starts.map((start_s) => topic(`T${start_s}`, start_s, start_s + 1))
    expect(toYouTube(clipWith(at(0, 9.9, 10, 19, 20), 100))).toBe("0:00 T0\n0:10 T10\n0:20 T20\n")
    expect(toYouTube(clipWith(at(0, 50), 60))).toBe("0:00 T0\n0:50 T50\n")
    expect(toYouTube(clipWith(at(0, 51), 60))).toBe("0:00 T0\n")
    expect(toYouTube(clipWith(at(0, 51), 0))).toBe("0:00 T0\n0:51 T51\n")
    expect(toYouTube(clipWith(at(3), 5))).toBe("0:00 T3\n")
  })

  it("have titles of at most 100 characters without angle brackets for YouTube", () => {
    expect(toYouTube(clipWith([topic(`<b>${"🎧".repeat(120)}`, 0, 90)]))).toBe(`0:00 ‹b›${"🎧".repeat(97)}\n`)
  })
})

describe("an exported file", () => {
  it("has the type and the extension of its format", () => {
    const files = Object.fromEntries(
      EXPORT_FORMATS.map((format) => {
        const { type, name } = describeExport(buildClip({ title: "A: b" }), format)
        return [format, `${name} ${type}`]
      }),
    )
    expect(files).toEqual({
      srt: "A- b.srt application/x-subrip; charset=utf-8",
      vtt: "A- b.vtt text/vtt; charset=utf-8",
      txt: "A- b.txt text/plain; charset=utf-8",
      md: "A- b.md text/markdown; charset=utf-8",
      json: "A- b.json application/json",
      chapters: "A- b.chapters.json application/json+chapters",
      ffmetadata: "A- b.ffmetadata text/plain; charset=utf-8",
      youtube: "A- b.youtube.txt text/plain; charset=utf-8",
      html: "A- b.html text/html; charset=utf-8",
      docx: "A- b.docx application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      pdf: "A- b.pdf application/pdf",
    })
  })

  it.each([
    ["a / b \\ c", "a - b - c"],
    ["a  \n b", "a b"],
    ["- a. -", "a"],
    ["Lpt9", "_Lpt9"],
    ["com", "com"],
    ["com10", "com10"],
    ["falcon", "falcon"],
    ["e\u0301", "é"],
    [`${"🎧".repeat(99)}ab`, `${"🎧".repeat(99)}a`],
  ])("of %j has the name %j", (title, name) => {
    expect(safeFileName(title)).toBe(name)
  })

  it.each([
    ["a;b%c.txt", `filename="a-b-c.txt"; filename*=UTF-8''a%3Bb%25c.txt`],
    ["it's (1)*", `filename="it's (1)-"; filename*=UTF-8''it%27s%20%281%29%2A`],
    ["a\\b", `filename="ab"; filename*=UTF-8''a%5Cb`],
    ["- .a", `filename="a"; filename*=UTF-8''-%20.a`],
  ])("is downloaded as %j", (name, header) => {
    expect(formatContentDisposition(name)).toBe(`attachment; ${header}`)
  })
})
