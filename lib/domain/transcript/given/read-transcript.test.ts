import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wordSpan } from "../words.ts"
import { readTranscript } from "./read-transcript.ts"
import { SHAPES, TranscriptError } from "./segment.ts"

/** Reads a transcript and writes each word as `start-end speaker: word`. */
const lines = (given: unknown): string[] =>
  readTranscript(given).words.map(({ word, start, end, speaker }) => `${start}-${end} ${speaker}: ${word}`)

const reasonOf = (given: unknown): string => {
  try {
    readTranscript(given)
  } catch (error) {
    if (error instanceof TranscriptError) return error.message
    throw error
  }
  throw new Error("the transcript was accepted")
}

describe("word spans", () => {
  it("are trimmed and sorted by start, and may overlap", () => {
    const spans = [
      { word: " later", start: 2, end: 3, speaker: "1" },
      { word: "Hello ", start: 0.5, end: 2.5, speaker: "Ada" },
      { word: "  ", start: 1, end: 1 },
      { word: "you", start: 1, end: 1.5 },
    ]
    const expected = ["0.5-2.5 Ada: Hello", "1-1.5 0: you", "2-3 1: later"]
    expect(lines(spans)).toEqual(expected)
    expect(lines({ transcription: spans })).toEqual(expected)
    expect(lines(JSON.stringify(spans))).toEqual(expected)
    expect(readTranscript(spans).estimated_times).toBe(false)
  })
  it("may have a numeric speaker or none, a confidence and a punctuated word", () => {
    const words = [
      { word: "hello", start: 0, end: 1, confidence: 0.9, speaker: 0, punctuated_word: "Hello." },
      { word: "yes", start: 1, end: 2, speaker: null },
    ]
    expect(lines(words)).toEqual(["0-1 0: Hello.", "1-2 0: yes"])
  })
  it("are rejected with the path of the first invalid word", () => {
    expect(reasonOf([{ word: "a", start: 2, end: 1 }])).toBe(
      "transcription.0.end: must not be before the start of the word",
    )
    expect(reasonOf([{ word: "a", start: 0, end: 1 }, { word: "b" }])).toBe("transcription.1.start: is missing")
    expect(reasonOf([7])).toBe("transcription.0: must be an object")
  })
  it("may be an empty list", () => expect(readTranscript([])).toEqual({ words: [], estimated_times: false }))
})

describe("Whisper", () => {
  const segment = {
    id: 0,
    seek: 0,
    start: 0.0,
    end: 3.0,
    text: " Hello there, friend.",
    tokens: [50364, 2425, 456, 11, 1277, 13, 50514],
    temperature: 0.0,
    avg_logprob: -0.27,
    compression_ratio: 1.1,
    no_speech_prob: 0.01,
  }
  it("is read by the words of its segments", () => {
    const words = [
      { word: " Hello", start: 0.0, end: 0.42, probability: 0.91 },
      { word: " there,", start: 0.42, end: 0.9, probability: 0.99 },
      { word: " friend.", start: 1.1, end: 1.62, probability: 0.97 },
    ]
    const json = { text: segment.text, segments: [{ ...segment, words }], language: "en" }
    expect(lines(json)).toEqual(["0-0.42 0: Hello", "0.42-0.9 0: there,", "1.1-1.62 0: friend."])
    expect(readTranscript(json).estimated_times).toBe(false)
  })
  it("is read by segments without words, whose time the words share by their length", () => {
    const json = { text: segment.text, segments: [segment], language: "en" }
    expect(lines(json)).toEqual(["0-0.857 0: Hello", "0.857-1.857 0: there,", "1.857-3 0: friend."])
    expect(readTranscript(json).estimated_times).toBe(true)
    expect(lines([segment])).toEqual(lines(json))
  })
  it("of whisper.cpp has offsets in milliseconds", () => {
    const json = {
      systeminfo: "AVX = 1",
      result: { language: "en" },
      transcription: [
        {
          timestamps: { from: "00:00:00,000", to: "00:00:01,000" },
          offsets: { from: 0, to: 1000 },
          text: " Good day",
        },
        { timestamps: { from: "00:00:01,000", to: "00:00:02,500" }, offsets: { from: 1000, to: 2500 }, text: " all" },
      ],
    }
    expect(lines(json)).toEqual(["0-0.556 0: Good", "0.556-1 0: day", "1-2.5 0: all"])
  })
  it("of WhisperX may leave out the times of a number, and labels speakers SPEAKER_00", () => {
    const json = {
      segments: [
        {
          start: 0.1,
          end: 1.9,
          text: " In 1969 they",
          speaker: "SPEAKER_01",
          words: [
            { word: "In", start: 0.1, end: 0.3, score: 0.9, speaker: "SPEAKER_01" },
            { word: "1969" },
            { word: "they", start: 1.2, end: 1.5, score: 0.8, speaker: "SPEAKER_00" },
          ],
        },
      ],
      word_segments: [],
    }
    expect(lines(json)).toEqual(["0.1-0.3 0: In", "0.3-1.2 0: 1969", "1.2-1.5 1: they"])
    expect(readTranscript(json).estimated_times).toBe(true)
  })
  it("of a silent recording has no words", () => expect(lines({ text: "", segments: [], language: "en" })).toEqual([]))
})

describe("OpenAI", () => {
  it("has words without punctuation, which the text restores, and nothing after the duration", () => {
    const json = {
      task: "transcribe",
      language: "english",
      duration: 2.0,
      text: "Well, it's done.",
      words: [
        { word: "Well", start: 0.0, end: 0.4 },
        { word: "it's", start: 0.6, end: 0.9 },
        { word: "done", start: 0.9, end: 2.4 },
      ],
      segments: [{ id: 0, seek: 0, start: 0.0, end: 2.4, text: " Well, it's done." }],
      usage: { type: "duration", seconds: 2 },
    }
    expect(lines(json)).toEqual(["0-0.4 0: Well,", "0.6-0.9 0: it's", "0.9-2 0: done."])
  })
  it("has speakers per segment in diarized JSON", () => {
    const json = {
      text: "Hi. Yes.",
      segments: [
        { type: "transcript.text.segment", id: "seg_1", start: 5, end: 6, text: "Yes.", speaker: "B" },
        { type: "transcript.text.segment", id: "seg_0", start: 0, end: 1, text: "Hi.", speaker: "A" },
      ],
    }
    expect(lines(json)).toEqual(["0-1 0: Hi.", "5-6 1: Yes."])
    expect(readTranscript(json).estimated_times).toBe(false)
  })
})

describe("Deepgram", () => {
  const word = (text: string, start: number, speaker?: number) => ({
    word: text.toLowerCase().replace(/\W/g, ""),
    start,
    end: start + 0.4,
    confidence: 0.99,
    punctuated_word: text,
    ...(speaker === undefined ? {} : { speaker, speaker_confidence: 0.7 }),
  })
  const metadata = { transaction_key: "deprecated", request_id: "a", sha256: "b", duration: 25.93, channels: 1 }
  it("is read by the punctuated words of the best alternative, with numbered speakers", () => {
    const alternatives = [
      { transcript: "Yes. No.", confidence: 0.99, words: [word("Yes.", 0.08, 1), word("No.", 0.5, 0)], paragraphs: {} },
      { transcript: "Yet now.", confidence: 0.4, words: [word("Yet", 0, 0)] },
    ]
    const json = { metadata, results: { channels: [{ alternatives, detected_language: "en" }], utterances: [] } }
    const expected = ["0.08-0.48 0: Yes.", "0.5-0.9 1: No."]
    expect(lines(json)).toEqual(expected)
    expect(lines({ result: json, error: null })).toEqual(expected)
  })
  it("is read by paragraphs and sentences if it has no words", () => {
    const paragraphs = {
      transcript: "\nSpeaker 0: Good day.\n\nSpeaker 1: Hi.",
      paragraphs: [
        { sentences: [{ text: "Good day.", start: 1, end: 2 }], num_words: 2, start: 1, end: 2, speaker: 0 },
        { sentences: [{ text: "Hi.", start: 2, end: 3 }], num_words: 1, start: 2, end: 3, speaker: 1 },
      ],
    }
    const json = { metadata, results: { channels: [{ alternatives: [{ transcript: "", words: [], paragraphs }] }] } }
    expect(lines(json)).toEqual(["1-1.5 0: Good", "1.5-2 0: day.", "2-3 1: Hi."])
    expect(readTranscript(json).estimated_times).toBe(true)
  })
  it("keeps the channels apart as speakers and merges their words by time", () => {
    const channel = (...words: object[]) => ({ alternatives: [{ transcript: "", words }] })
    const json = {
      metadata,
      results: { channels: [channel(word("One", 1), word("three", 3)), channel(word("two", 2))] },
    }
    expect(lines(json)).toEqual(["1-1.4 0: One", "2-2.4 1: two", "3-3.4 0: three"])
  })
  it("is read by utterances if the channels hold nothing", () => {
    const utterances = [{ start: 0, end: 1, confidence: 0.9, channel: 0, transcript: "Hello", speaker: 3, id: "x" }]
    expect(lines({ metadata, results: { channels: [], utterances } })).toEqual(["0-1 0: Hello"])
  })
})

describe("AssemblyAI", () => {
  const word = (text: string, start: number, speaker: string | null = null) => ({
    text,
    start,
    end: start + 240,
    confidence: 0.97,
    speaker,
    channel: null,
  })
  const transcript = { id: "9ea6", status: "completed", language_code: "en_us", audio_duration: 12, text: "Smoke from" }
  it("has times in milliseconds", () => {
    const words = [word("Smoke", 250), word("from", 730)]
    expect(lines({ ...transcript, words, utterances: null })).toEqual(["0.25-0.49 0: Smoke", "0.73-0.97 0: from"])
  })
  it("has speakers in its utterances, with or without words", () => {
    const words = [word("Smoke", 250, "B"), word("from", 730, "A")]
    const utterances = [
      { speaker: "B", text: "Smoke", confidence: 0.9, start: 250, end: 490, words: [words[0]] },
      { speaker: "A", text: "from", confidence: 0.9, start: 730, end: 970 },
    ]
    expect(lines({ ...transcript, words, utterances })).toEqual(["0.25-0.49 0: Smoke", "0.73-0.97 1: from"])
  })
  it("is rejected with its status before it is completed", () =>
    expect(reasonOf({ ...transcript, status: "processing", words: null, text: null })).toContain(
      "has the status 'processing' and no words",
    ))
})

describe("SRT", () => {
  it("may have a BOM, CRLF, several lines, tags, hours over 99 and no empty line before a number", () => {
    const srt = [
      "\ufeff1",
      "00:00:01,000 --> 00:00:03,000",
      "<i>Good</i>",
      '<font color="#ffff00">day</font> {\\an8}all',
      "2",
      "100:00:00,500 --> 100:00:01,500",
      "- Bye",
      "",
      "",
    ].join("\r\n")
    expect(lines(srt)).toEqual(["1-1.769 0: Good", "1.769-2.385 0: day", "2.385-3 0: all", "360000.5-360001.5 0: Bye"])
    expect(readTranscript(srt).estimated_times).toBe(true)
  })
  it("takes the speaker from a machine's label, but not from other words before a colon", () => {
    const srt =
      "1\n00:00:01,000 --> 00:00:02,000\n[SPEAKER_01]: Note: go\n\n2\n00:00:02,000 --> 00:00:03,000\nspeaker_00: Hi\n"
    expect(lines(srt)).toEqual(["1-1.667 0: Note:", "1.667-2 0: go", "2-3 1: Hi"])
  })
  it("keeps a line that is said twice", () => {
    const cue = (n: number) => `${n}\n00:00:0${n},000 --> 00:00:0${n},900\nYes.\n`
    expect(lines(`${cue(1)}\n${cue(2)}`)).toEqual(["1-1.9 0: Yes.", "2-2.9 0: Yes."])
  })
})

describe("WebVTT", () => {
  it("may have notes, styles, regions, identifiers, cue settings, voices, entities and times without hours", () => {
    const vtt = `WEBVTT - Interview
Kind: captions

NOTE a comment that is
not spoken

STYLE
::cue { color: papayawhip }

REGION
id:fred

intro
00:11.000 --> 00:12.000 align:start position:10%,line-left size:35%
<v.loud Roger Bingham>We <c.yellow>did&nbsp;it</c> &amp; left</v>

00:01:13.000 --> 00:01:14.000
<v Neil>Good</v> <v Ann>Bye</v>
`
    expect(lines(vtt)).toEqual([
      "11-11.176 Roger Bingham: We",
      "11.176-11.412 Roger Bingham: did",
      "11.412-11.588 Roger Bingham: it",
      "11.588-11.706 Roger Bingham: &",
      "11.706-12 Roger Bingham: left",
      "73-73.556 Neil: Good",
      "73.556-74 Ann: Bye",
    ])
  })
  it("of YouTube gives each word its time, and the repeated lines are omitted", () => {
    const vtt = `WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.350 align:start position:0%
 
so<00:00:00.480><c> this</c><00:00:00.719><c> is</c>

00:00:02.350 --> 00:00:02.360 align:start position:0%
so this is
 

00:00:02.360 --> 00:00:04.000 align:start position:0%
so this is
new
`
    expect(lines(vtt)).toEqual(["0.16-0.48 0: so", "0.48-0.719 0: this", "0.719-2.35 0: is", "2.36-4 0: new"])
    expect(readTranscript(vtt).estimated_times).toBe(false)
  })
})

describe("other input", () => {
  it.each([undefined, null, 7, true, "", "hello", "<xml/>", {}, { foo: 1 }, { results: {} }])(
    "is rejected with the list of formats: %j",
    (given) => expect(reasonOf(given)).toBe(`transcription: ${SHAPES}`),
  )
  it("is rejected with what is wrong in it", () => {
    expect(reasonOf("[{")).toBe("transcription: is not valid JSON")
    expect(reasonOf({ text: "Hello." })).toContain("has text without times")
    expect(reasonOf({ segments: [{ start: "1", end: 2, text: "a" }] })).toBe(
      "transcription.segments.0.start: must be a number",
    )
    expect(reasonOf({ segments: [{ start: 1, end: 2 }] })).toBe("transcription.segments.0: must have text")
  })
  it("is rejected if it has too many words", () => {
    const text = "a ".repeat(500_001)
    expect(reasonOf({ segments: [{ start: 0, end: 9, text }] })).toBe("transcription: must have at most 500000 words")
  })
  it("splits words that are longer than a word span may be", () => {
    const [first, ...rest] = readTranscript({ segments: [{ start: 0, end: 3, text: "x".repeat(450) }] }).words
    expect([first!.word.length, rest.length, rest.at(-1)!.end]).toEqual([100, 4, 3])
  })
})

describe("any input", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(" a b", "漢字。", "<v A>x", "<00:00:01.000>", "\0"),
  )
  const number = fc.oneof(fc.double({ min: -10, max: 1000, noNaN: true }), fc.constant(null), fc.constant(undefined))
  const label = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("A", "SPEAKER_01", "Ada", null, undefined))
  const word = fc.record({ word: text, start: number, end: number, speaker: label })
  const assemblyWord = fc.record({ text, start: number, end: number, confidence: fc.constant(1), speaker: label })
  const segment = fc.record({
    text,
    start: number,
    end: number,
    speaker: label,
    words: fc.option(fc.array(word, { maxLength: 4 })),
  })
  const clock = fc.tuple(fc.nat(120), fc.nat(59), fc.nat(59), fc.nat(999)).map(([h, m, s, ms]) => {
    const pad = (n: number, length = 2) => String(n).padStart(length, "0")
    return `${pad(h)}:${pad(m)}:${pad(s)}.${pad(ms, 3)}`
  })
  const cue = fc.tuple(clock, clock, text, text).map(([from, to, a, b]) => `${from} --> ${to}\n${a}\n${b}\n`)
  const duration = fc.oneof(fc.double({ min: 0, max: 2000, noNaN: true }), fc.constant(undefined))
  const given = fc.oneof(
    fc.record({ words: fc.array(word), text, duration }),
    fc.record({ segments: fc.array(segment), duration }),
    fc.record({ words: fc.array(assemblyWord), audio_duration: duration }),
    fc.record({ utterances: fc.array(assemblyWord, { minLength: 1 }), words: fc.constant(null) }),
    fc
      .array(fc.array(word, { maxLength: 4 }), { maxLength: 3 })
      .map((channels) => ({ results: { channels: channels.map((words) => ({ alternatives: [{ words }] })) } })),
    fc.array(segment),
    fc.array(word),
    fc.array(cue).map((cues) => `WEBVTT\n\n${cues.join("\n")}`),
    fc.anything(),
    fc.json(),
    fc.string(),
  )
  it("gives words in order within the recording, or one clear error", () => {
    fc.assert(
      fc.property(given, (value) => {
        let words: ReturnType<typeof readTranscript>["words"]
        try {
          words = readTranscript(value).words
        } catch (error) {
          expect(error).toBeInstanceOf(TranscriptError)
          expect((error as TranscriptError).message).toMatch(/^transcription[\s\S]*: /)
          return
        }
        const duration = (value as { duration?: number })?.duration
        const end = duration ? duration : Number.POSITIVE_INFINITY
        for (const [i, w] of words.entries()) {
          expect(w.start).toBeGreaterThanOrEqual(words[i - 1]?.start ?? 0)
          expect(w.end).toBeGreaterThanOrEqual(w.start)
          if (!Array.isArray(value)) expect(w.end).toBeLessThanOrEqual(end)
          expect(w.word.trim()).toBe(w.word)
          expect(w.word).not.toBe("")
          expect(w.word.length).toBeLessThanOrEqual(200)
        }
      }),
      { numRuns: 500 },
    )
  })

  it("accepts exactly the words that the schema accepts, with the same content", () => {
    const near = fc.oneof(
      fc.constantFrom(
        0,
        1.5,
        -1,
        2_592_000,
        2_592_001,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        "1",
        null,
        undefined,
        true,
      ),
      fc.double({ min: 0, max: 10 }),
    )
    const written = fc.oneof(
      text,
      fc.constantFrom("", "a\0b", "\0", "x".repeat(200), "x".repeat(201), 7, null, undefined),
    )
    const spoken = fc.oneof(fc.constantFrom("0", "", "a\0", "s".repeat(100), "s".repeat(101), 3, true, {}), label)
    const item = fc.record({ word: written, start: near, end: near, speaker: spoken }, { requiredKeys: [] })
    fc.assert(
      fc.property(item, ({ speaker, ...rest }) => {
        const given = {
          ...rest,
          ...((speaker ?? null) !== null && { speaker: typeof speaker === "number" ? String(speaker) : speaker }),
        }
        const expected = wordSpan.safeParse(given)
        const read = () => readTranscript([{ ...rest, speaker }]).words
        if (!expected.success) {
          expect(read).toThrow(TranscriptError)
          return
        }
        const word = expected.data.word.trim()
        expect(read()).toEqual(word === "" ? [] : [{ ...expected.data, word }])
      }),
      { numRuns: 2000 },
    )
  })
})
