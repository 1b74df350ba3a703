import { describe, expect, it } from "vitest"
import type { WordSpan } from "../transcript/words.ts"
import { cleanSentence } from "./clean.ts"
import { stem } from "./stem.ts"
import { isContentWord, isFiller, STOP_WORDS, stopWordsFor } from "./stop-words.ts"
import { normalise, wordsOf } from "./tokens.ts"
import { endsSentence, utterancesOf } from "./utterances.ts"

/** Words of 0.3 s every 0.4 s; `|` is a second of silence, `/` another speaker. */
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
  return utterancesOf(words).map((u) =>
    words
      .slice(u.first, u.end)
      .map((w) => w.word)
      .join(" "),
  )
}

describe("tokens", () => {
  it("keeps words, drops punctuation, knows Unicode", () => {
    expect(wordsOf("Well, it's 3.5 naïve co-workers’ days…")).toEqual([
      "Well",
      "it's",
      "3.5",
      "naïve",
      "co-workers",
      "days",
    ])
    expect(wordsOf("東京に行きました").length).toBeGreaterThan(1)
    expect(wordsOf("...")).toEqual([])
  })
  it("compares words in one form", () => {
    expect(normalise("Boat’s")).toBe("boat")
    expect(normalise("ＡＢＣ")).toBe("abc")
  })
  it("stems English and leaves other scripts", () => {
    expect(stem("launching")).toBe(stem("launched"))
    expect(stem("übungen")).toBe("übungen")
  })
})

describe("stop words", () => {
  it("tells content from function words, fillers and contractions", () => {
    expect(["the", "ummm", "we'll", "hasn't", "42", "x"].filter((w) => isContentWord(w, STOP_WORDS))).toEqual([])
    expect(isContentWord("telescope", STOP_WORDS)).toBe(true)
    expect(isFiller("umbrella")).toBe(false)
  })
  it("picks the list of the language, or none", () => {
    expect(stopWordsFor("we went to the shop and it was closed".split(" "))).toBe(STOP_WORDS)
    expect(
      stopWordsFor("wir haben das nicht auf der Rechnung und das ist gut".toLowerCase().split(" ")).has("und"),
    ).toBe(true)
    expect(stopWordsFor(["szép", "nagy", "ház"]).size).toBe(0)
  })
})

describe("utterances", () => {
  it("end at sentences, long silences and turns", () => {
    expect(utterances("We met Dr. Hill. He said | nothing / Why?")).toEqual([
      "We met Dr. Hill.",
      "He said",
      "nothing",
      "Why?",
    ])
  })
  it("cover all words in order however long they are", () => {
    const words = spoken(Array.from({ length: 500 }, (_, i) => `w${i}`).join(" "))
    const list = utterancesOf(words)
    expect(list[0]!.first).toBe(0)
    expect(list.at(-1)!.end).toBe(500)
    list.slice(1).forEach((u, i) => {
      expect(u.first).toBe(list[i]!.end)
    })
    expect(Math.max(...list.map((u) => u.end - u.first))).toBeLessThanOrEqual(60)
  })
  it("end at shorter silences where nothing is punctuated", () => {
    const words = spoken("one two three four").map((w, i) =>
      i < 2 ? w : { ...w, start: w.start + 0.4, end: w.end + 0.4 },
    )
    expect(utterancesOf(words).length).toBe(2)
    expect(utterancesOf(words.map((w) => ({ ...w, word: w.word === "four" ? "four." : w.word }))).length).toBe(1)
  })
  it("do not break at every word of voices that overlap", () => {
    const overlapping = Array.from({ length: 20 }, (_, i) => ({
      word: `w${i}`,
      start: i * 0.2,
      end: i * 0.2 + 0.4,
      speaker: i > 3 && i % 2 ? "1" : "0",
    }))
    expect(utterancesOf(overlapping).length).toBeLessThanOrEqual(3)
  })
  it("of nothing are none", () => expect(utterancesOf([])).toEqual([]))
  it("know abbreviations", () =>
    expect([endsSentence("Mr."), endsSentence("boat."), endsSentence("why?”")]).toEqual([false, true, true]))
})

describe("cleanSentence", () => {
  it("removes fillers, stutters and empty openers and closes the sentence", () => {
    expect(cleanSentence("so , um , we need we need to to paint the boat".split(" "))).toBe(
      "We need to paint the boat.",
    )
  })
  it("mends spacing around punctuation and contractions", () => {
    expect(cleanSentence("it 's the harbor , you know , that we do n't like .".split(" "))).toBe(
      "It's the harbor, that we don't like.",
    )
  })
  it("writes no spaces where the script has none", () => {
    expect(cleanSentence("雨 の ため 傘 を 持つ".split(" "))).toBe("雨のため傘を持つ。")
  })
  it("leaves out words that were broken off, and nods to others", () => {
    expect(cleanSentence("th the recogni recognition structures yeah wh are in ch the knowledge base".split(" "))).toBe(
      "The recognition structures are in the knowledge base.",
    )
    expect(cleanSentence("the ST and the PR stay".split(" "))).toBe("The ST and the PR stay.")
  })
  it("is empty when nothing was said", () => expect(cleanSentence(["um", ",", "uh", "."])).toBe(""))
})
