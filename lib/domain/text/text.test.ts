import { describe, expect, it } from "vitest"
import type { WordSpan } from "../transcript/words.ts"
import { cleanSentence } from "./clean-sentence.ts"
import { isFiller } from "./fillers.ts"
import { stem } from "./stem.ts"
import { detectStopWords, isContentWord, STOP_WORDS } from "./stop-words.ts"
import { normalizeWord, splitWords } from "./tokens.ts"
import { endsSentence, splitUtterances } from "./utterances.ts"

/** Builds words of 0.3 s every 0.4 s. `|` adds a second of silence, `/` changes the speaker. */
const spoken = (text: string): WordSpan[] => {
  const words: WordSpan[] = []
  let clock = 0
  let speaker = 0
  for (const word of text.split(" ")) {
    if (word === "|") clock += 1
    else if (word === "/") speaker++
    else {
      words.push({ word, start: clock, end: clock + 0.3, speaker: String(speaker) })
      clock += 0.4
    }
  }
  return words
}
const utterances = (text: string): string[] => {
  const words = spoken(text)
  return splitUtterances(words).map((u) =>
    words
      .slice(u.first, u.end)
      .map((w) => w.word)
      .join(" "),
  )
}

describe("tokens", () => {
  it("splits a Unicode text into words and drops punctuation", () => {
    expect(splitWords("Well, it's 3.5 naïve co-workers’ days…")).toEqual([
      "Well",
      "it's",
      "3.5",
      "naïve",
      "co-workers",
      "days",
    ])
    expect(splitWords("東京に行きました").length).toBeGreaterThan(1)
    expect(splitWords("...")).toEqual([])
  })
  it("normalizes apostrophes, possessives, case and width", () => {
    expect(normalizeWord("Boat’s")).toBe("boat")
    expect(normalizeWord("ＡＢＣ")).toBe("abc")
  })
  it("stems English words and leaves others unchanged", () => {
    expect(stem("launching")).toBe(stem("launched"))
    expect(stem("übungen")).toBe("übungen")
  })
})

describe("stop words", () => {
  it("separates content words from function words, fillers and contractions", () => {
    expect(["the", "ummm", "we'll", "hasn't", "42", "x"].filter((w) => isContentWord(w, STOP_WORDS))).toEqual([])
    expect(isContentWord("telescope", STOP_WORDS)).toBe(true)
    expect(isFiller("umbrella")).toBe(false)
  })
  it("detects the language of the words, or returns an empty set", () => {
    expect(detectStopWords("we went to the shop and it was closed".split(" "))).toBe(STOP_WORDS)
    expect(
      detectStopWords("wir haben das nicht auf der Rechnung und das ist gut".toLowerCase().split(" ")).has("und"),
    ).toBe(true)
    expect(detectStopWords(["szép", "nagy", "ház"]).size).toBe(0)
  })
})

describe("utterances", () => {
  it("end at sentences, long silences and speaker changes", () => {
    expect(utterances("We met Dr. Hill. He said | nothing / Why?")).toEqual([
      "We met Dr. Hill.",
      "He said",
      "nothing",
      "Why?",
    ])
  })
  it("cover all words in order and have at most 60 words", () => {
    const words = spoken(Array.from({ length: 500 }, (_, i) => `w${i}`).join(" "))
    const list = splitUtterances(words)
    expect(list[0]!.first).toBe(0)
    expect(list.at(-1)!.end).toBe(500)
    list.slice(1).forEach((u, i) => {
      expect(u.first).toBe(list[i]!.end)
    })
    expect(Math.max(...list.map((u) => u.end - u.first))).toBeLessThanOrEqual(60)
  })
  it("end at shorter silences if there is no punctuation", () => {
    const words = spoken("one two three four").map((w, i) =>
      i < 2 ? w : { ...w, start: w.start + 0.4, end: w.end + 0.4 },
    )
    expect(splitUtterances(words).length).toBe(2)
    expect(splitUtterances(words.map((w) => ({ ...w, word: w.word === "four" ? "four." : w.word }))).length).toBe(1)
  })
  it("do not end at every word of overlapping speakers", () => {
    const overlapping = Array.from({ length: 20 }, (_, i) => ({
      word: `w${i}`,
      start: i * 0.2,
      end: i * 0.2 + 0.4,
      speaker: i > 3 && i % 2 ? "1" : "0",
    }))
    expect(splitUtterances(overlapping).length).toBeLessThanOrEqual(3)
  })
  it("are empty for an empty transcript", () => expect(splitUtterances([])).toEqual([]))
  it("do not end after abbreviations", () =>
    expect([endsSentence("Mr."), endsSentence("boat."), endsSentence("why?”")]).toEqual([false, true, true]))
})

describe("cleanSentence", () => {
  it("removes fillers, stutters and empty openers and closes the sentence", () => {
    expect(cleanSentence("so , um , we need we need to to paint the boat".split(" "))).toBe(
      "We need to paint the boat.",
    )
  })
  it("corrects the spacing around punctuation and contractions", () => {
    expect(cleanSentence("it was the harbor of the town - .".split(" "))).toBe("It was the harbor of the town.")
    expect(cleanSentence("it 's the harbor , you know , that we do n't like .".split(" "))).toBe(
      "It's the harbor, that we don't like.",
    )
  })
  it("removes spaces in scripts without spaces", () => {
    expect(cleanSentence("雨 の ため 傘 を 持つ".split(" "))).toBe("雨のため傘を持つ。")
  })
  it("removes truncated words and replies to other speakers", () => {
    expect(cleanSentence("th the recogni recognition structures yeah wh are in ch the knowledge base".split(" "))).toBe(
      "The recognition structures are in the knowledge base.",
    )
    expect(cleanSentence("the ST and the PR stay".split(" "))).toBe("The ST and the PR stay.")
  })
  it("returns an empty string for fillers only", () => expect(cleanSentence(["um", ",", "uh", "."])).toBe(""))
})
