import { describe, expect, it } from "vitest"
import type { WordSpan } from "../transcript/words.ts"
import { buildCues, toSrt, toVtt } from "./subtitles.ts"
import { buildClip } from "./testing/clip.ts"

type Timed = readonly [text: string, start: number, end: number, speaker?: string]
const wordsOf = (...timed: readonly Timed[]): WordSpan[] =>
  timed.map(([word, start, end, speaker = "0"]) => ({ word, start, end, speaker }))
/** Words of half a second, one after the other. */
const sayOf = (text: string, from = 0, speaker = "0"): WordSpan[] =>
  text.split(" ").map((word, i) => ({ word, start: from + i / 2, end: from + (i + 1) / 2, speaker }))
const textsOf = (words: readonly WordSpan[]) => buildCues(words).map(({ lines }) => lines.join(" "))
const timesOf = (words: readonly WordSpan[]) => buildCues(words).map(({ start_s, end_s }) => [start_s, end_s])

describe("the time of a cue", () => {
  it("ends 0.8 s after the last word, or when the next cue begins", () => {
    expect(timesOf(sayOf("One two three."))).toEqual([[0, 2.3]])
    expect(timesOf([...sayOf("One two three."), ...sayOf("Four five six.", 2)])).toEqual([
      [0, 2],
      [2, 4.3],
    ])
  })

  it("is at most seven seconds, however long its word is", () => {
    expect(timesOf(wordsOf(["Oooh.", 1, 20]))).toEqual([[1, 8]])
    expect(timesOf(wordsOf(["Oh,", 0, 6], ["well.", 6, 7]))).toEqual([[0, 7]])
    expect(timesOf(wordsOf(["Oh,", 0, 6], ["well.", 6, 7.1]))).toHaveLength(2)
  })

  it("ends with the word that ends last", () => {
    expect(timesOf(wordsOf(["Long", 0, 3], ["short.", 1, 1.5]))).toEqual([[0, 3.8]])
  })

  it("is 1.2 s if the next cue begins at the same time", () => {
    expect(timesOf(wordsOf(["Yes.", 5, 5.5, "0"], ["No.", 5, 7, "1"]))).toEqual([
      [5, 6.2],
      [5, 7.8],
    ])
  })
})

describe("a short cue", () => {
  it("is merged with the next sentence of the same speaker", () => {
    expect(textsOf(wordsOf(["Yes.", 0, 1.1], ["Bees", 1.5, 2], ["dance.", 2, 2.5]))).toEqual(["Yes. Bees dance."])
  })

  it.each([
    ["it lasts 1.2 s", wordsOf(["Yes.", 0, 1.2], ["Dance.", 1.5, 2])],
    ["the next sentence follows 1.2 s later", wordsOf(["Yes.", 0, 0.5], ["Dance.", 1.7, 2.5])],
    ["somebody else answers", wordsOf(["Yes.", 0, 0.5, "0"], ["Dance.", 0.6, 1, "1"])],
    ["both need more than seven seconds", wordsOf(["Yes.", 0, 0.5], ["Dance", 0.6, 1], ["slowly.", 1.1, 7.2])],
    [
      "both need more than two lines",
      [...wordsOf(["Yes.", 0, 0.5]), ...wordsOf([`${"a".repeat(41)}`, 0.6, 1], [`${"b".repeat(41)}.`, 1, 1.5])],
    ],
  ])("stays alone if %s", (_, words) => {
    expect(textsOf(words)[0]).toBe("Yes.")
  })
})

describe("the lines of a cue", () => {
  const linesOf = (text: string) => buildCues(wordsOf(...text.split(" ").map((word): Timed => [word, 0, 1])))[0]!.lines

  it("are one up to 42 characters, else two of about the same length", () => {
    expect(linesOf(`${"a".repeat(20)} ${"b".repeat(21)}`)).toEqual([`${"a".repeat(20)} ${"b".repeat(21)}`])
    expect(linesOf(`${"a".repeat(20)} ${"b".repeat(22)}`)).toEqual(["a".repeat(20), "b".repeat(22)])
    expect(linesOf("a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii")).toEqual([
      "a bb ccc dddd eeeee ffffff",
      "ggggggg hhhhhhhh iiiiiiiii",
    ])
  })

  it("count characters instead of code units", () => {
    expect(linesOf("🎧".repeat(42))).toEqual(["🎧".repeat(42)])
    expect(linesOf(`${"🎧".repeat(20)} ${"🎧".repeat(21)}`)).toHaveLength(1)
  })

  it("divide a word that is longer than a line, and its time", () => {
    const cues = buildCues(wordsOf(["x".repeat(100), 2, 8]))
    expect(cues.map(({ lines }) => lines.map((line) => line.length))).toEqual([[42, 42], [16]])
    expect(cues.map(({ start_s }) => start_s)).toEqual([2, 6])
    expect(buildCues(wordsOf([" ", 0, 1], ["yes", 1, 2])).map(({ lines }) => lines)).toEqual([["yes"]])
  })
})

describe("a sentence that is too long for a cue", () => {
  const long =
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
  const at = (changes: (words: WordSpan[]) => void) => {
    const words = long.split(" ").map((word, i) => ({ word, start: i * 0.3, end: i * 0.3 + 0.3, speaker: "0" }))
    changes(words)
    return textsOf(words)[0]!.split(" ").at(-1)
  }

  it("is divided in its middle, or after a clause or at a silence near it", () => {
    expect(at(() => {})).toBe("nine")
    expect(at((words) => (words[5]!.word = "six,"))).toBe("six,")
    expect(at((words) => (words[5]!.word = "six,”"))).toBe("six,”")
    expect(at((words) => (words[0]!.word = "one,"))).toBe("nine")
    expect(
      at((words) => {
        for (const word of words.slice(6)) {
          word.start += 0.3
          word.end += 0.3
        }
      }),
    ).toBe("six")
  })

  it("is divided again until each part fits", () => {
    const cues = textsOf(sayOf(`${long} ${long}`.replaceAll("one", "One")))
    expect(cues.length).toBeGreaterThan(3)
    expect(cues.join(" ").split(" ")).toHaveLength(36)
  })
})

describe("the label of a speaker", () => {
  const label = (speaker: string) => `${speaker}: `
  const words = [
    ...sayOf("Is it true? It is.", 0, "Ada"),
    ...sayOf("Yes it is.", 5, "Bob"),
    ...sayOf("Good.", 9, "Ada"),
  ]

  it("precedes the first words of each turn", () => {
    const lines = buildCues(words, label).map((cue) => cue.lines.join(" "))
    expect(lines).toEqual(["Ada: Is it true?", "It is.", "Bob: Yes it is.", "Ada: Good."])
    expect(buildCues(words, label).map(({ speaker }) => speaker)).toEqual(["Ada", "Ada", "Bob", "Ada"])
  })

  it("counts as text of its line, and is cut to 40 characters", () => {
    const linesFor = (name: string) => buildCues(wordsOf(["Yes.", 0, 1, name]), label)[0]!.lines
    expect(linesFor("N".repeat(36))).toEqual([`${"N".repeat(36)}: Yes.`])
    expect(linesFor("N".repeat(38))).toEqual([`${"N".repeat(38)}:`, "Yes."])
    expect(linesFor("N".repeat(39))).toEqual([`${"N".repeat(37)}…:`, "Yes."])
    expect(linesFor("🎧".repeat(300))).toEqual([`${"🎧".repeat(37)}…:`, "Yes."])
    const [first] = buildCues(wordsOf(["a".repeat(40), 0, 1, "Ada"], ["b".repeat(40), 1, 2, "Ada"]), label)
    expect(first!.lines).toEqual(["Ada:", "a".repeat(40)])
  })
})

describe("subtitle files", () => {
  const clip = buildClip({
    title: "A & B\n--> C",
    speakers: { "0": "Ada <x>" },
    transcription: [...sayOf("One {two} <three> & four.", 1), ...sayOf("Five.", 5, "1")],
  })

  it("are numbered in SubRip, and replace markup that players would read", () => {
    expect(toSrt(clip)).toBe(
      "1\n00:00:01,000 --> 00:00:04,300\nAda ‹x›: One (two) ‹three› & four.\n\n" +
        "2\n00:00:05,000 --> 00:00:06,300\nSpeaker 2: Five.\n",
    )
  })

  it("escape markup and name speakers in voice tags in WebVTT", () => {
    expect(toVtt(clip)).toBe(
      "WEBVTT\n\nNOTE\nA &amp; B --&gt; C\n\n" +
        "00:00:01.000 --> 00:00:04.300\n<v Ada &lt;x&gt;>One {two} &lt;three&gt; &amp; four.</v>\n\n" +
        "00:00:05.000 --> 00:00:06.300\n<v Speaker 2>Five.</v>\n",
    )
  })
})
