import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { WordSpan } from "../transcript/words.ts"
import { oneLine } from "./clip-text.ts"
import { buildCues, MAX_CUE_S, MAX_LINE_CHARS, MAX_LINES, toSrt, toVtt } from "./subtitles.ts"
import { buildClip, buildWords } from "./testing/clip.ts"

type Parsed = { start: number; end: number; text: string }

const seconds = (time: string): number => {
  const [h, m, s] = time.replace(",", ".").split(":").map(Number)
  return h! * 3600 + m! * 60 + s!
}
/** Parses strictly: throws for every block that is not a cue. */
const parse = (blocks: string[], times: RegExp): Parsed[] =>
  blocks.map((block) => {
    const [first, ...lines] = block.split("\n")
    const match = times.exec(first!)
    if (!match) throw new Error(`no cue: ${JSON.stringify(block)}`)
    return { start: seconds(match[1]!), end: seconds(match[2]!), text: lines.join(" ").trim() }
  })
const parseSrt = (text: string): Parsed[] => {
  const blocks = text.split("\n\n").filter((b) => b.trim())
  expect(blocks.map((b) => b.split("\n")[0])).toEqual(blocks.map((_, i) => String(i + 1)))
  return parse(
    blocks.map((b) => b.slice(b.indexOf("\n") + 1)),
    /^(\d{2,}:\d\d:\d\d,\d{3}) --> (\d{2,}:\d\d:\d\d,\d{3})$/,
  )
}
const parseVtt = (text: string): Parsed[] => {
  const [head, note, ...blocks] = text.split("\n\n").filter((b) => b.trim())
  expect([head, note!.trim().split("\n").length]).toEqual(["WEBVTT", 2])
  return parse(blocks, /^(\d{2,}:\d\d:\d\d\.\d{3}) --> (\d{2,}:\d\d:\d\d\.\d{3})$/)
}
const unescaped = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

const word = fc.record({
  word: fc.oneof(
    fc.string({ minLength: 1, maxLength: 60, unit: "binary" }),
    fc.constantFrom("yes.", "no,", "-->", "<b>", "&amp;", "00:00:01,000 --> 00:00:02,000", "a\n\nb", "{\\an8}"),
  ),
  gap: fc.constantFrom(0, 0, 0.1, 0.7, 3, 12),
  length: fc.constantFrom(0, 0.2, 0.5, 9),
  speaker: fc.constantFrom("0", "0", "0", "1", "x>y"),
})
const transcripts = fc.array(word, { maxLength: 60 }).map((list) => {
  let at = 0
  return list.map(({ word, gap, length, speaker }): WordSpan => {
    at += gap
    return { word, start: at, end: at + length, speaker }
  })
})
const letters = (text: string) => text.replace(/\s/g, "")

describe("subtitles of any transcript", () => {
  it("stay within their limits, end when the next one begins, and contain every word", () =>
    fc.assert(
      fc.property(transcripts, (words) => {
        const cues = buildCues(words)
        for (const [i, cue] of cues.entries()) {
          expect(cue.lines.length).toBeLessThanOrEqual(MAX_LINES)
          for (const line of cue.lines) expect([...line].length).toBeLessThanOrEqual(MAX_LINE_CHARS)
          expect(cue.end_s).toBeGreaterThan(cue.start_s)
          expect(cue.end_s - cue.start_s).toBeLessThanOrEqual(MAX_CUE_S + 1e-9)
          const before = cues[i - 1]
          if (before === undefined) continue
          expect(cue.start_s).toBeGreaterThanOrEqual(before.start_s)
          if (cue.start_s > before.start_s) expect(before.end_s).toBeLessThanOrEqual(cue.start_s)
        }
        expect(letters(cues.flatMap((c) => c.lines).join(""))).toBe(letters(words.map((w) => oneLine(w.word)).join("")))
      }),
    ))
  it("survive a round trip through SubRip and WebVTT", () =>
    fc.assert(
      fc.property(transcripts, (transcription) => {
        const clip = buildClip({ transcription, speakers: { "0": "Ada", "x>y": "--> <c>\n\n1" } })
        const cues = buildCues(transcription)
        const vtt = parseVtt(toVtt(clip))
        expect(vtt.map((c) => letters(unescaped(c.text.replace(/<\/?v[^>]*>/g, ""))))).toEqual(
          cues.map((c) => letters(c.lines.join(""))),
        )
        for (const { text } of parseSrt(toSrt(clip))) expect(text).not.toMatch(/[<>{}]/)
      }),
    ))
})

describe("subtitles of a talk", () => {
  const clip = buildClip()
  it("end at sentences and speaker changes, and split a long sentence after a clause", () =>
    expect(buildCues(clip.transcription).map((c) => c.lines.join(" "))).toEqual(
      [
        "Boats are built from wood, and they float because water pushes them up with all its might.",
        "Do they?",
        "Yes. Bees dance.",
      ].flatMap((line) =>
        line.length > 84 ? [expect.stringMatching(/^Boats/), expect.stringMatching(/might\.$/)] : [line],
      ),
    ))
  it("name the speaker at each turn", () => {
    expect(parseSrt(toSrt(clip)).map((c) => c.text.split(":")[0])).toEqual(["Ada", expect.anything(), "Grace", "Ada"])
    expect(toVtt(clip).match(/<v [^>]+>/g)).toEqual(["<v Ada>", "<v Ada>", "<v Grace>", "<v Ada>"])
  })
  it("have no label if the only speaker has no name", () => {
    const alone = buildClip({ speakers: {}, transcription: buildWords("Only me here.", 0) })
    expect(parseSrt(toSrt(alone)).map((c) => c.text)).toEqual(["Only me here."])
    expect(toVtt(alone)).not.toContain("<v")
    expect(toVtt(buildClip({ speakers: {} }))).toContain("<v Speaker 2>")
  })
  it("are empty for an empty transcript", () => {
    expect(toSrt(buildClip({ transcription: [] }))).toBe("")
    expect(toVtt(buildClip({ transcription: [] }))).toMatch(/^WEBVTT\n/)
  })
  it("support more than 99 hours and round up to the next second", () => {
    const late = buildClip({
      speakers: {},
      transcription: [{ word: "late", start: 362_439.9996, end: 362_441, speaker: "0" }],
    })
    expect(toSrt(late)).toContain("100:40:40,000 --> 100:40:41,800")
  })
})
