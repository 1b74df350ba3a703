import { describe, expect, it } from "vitest"
import type { AnswerChunk } from "../types.ts"
import { NOT_IN_DOCUMENTS } from "../types.ts"
import { createBuiltinAnswerer } from "./answerer.ts"

const { signal } = new AbortController()
const answer = (question: string, ...texts: string[]): Promise<string> =>
  answerFrom(
    question,
    texts.map((text) => ({ text, title: "" })),
  )
const answerFrom = async (question: string, chunks: readonly AnswerChunk[]): Promise<string> => {
  let whole = ""
  for await (const part of createBuiltinAnswerer().answer({ question, chunks }, signal)) whole += part
  return whole
}

describe("what the builtin answerer finds", () => {
  const chunk = (text: string, document: string): AnswerChunk => ({ text, title: "", document })
  const find = (chunks: readonly AnswerChunk[], quotable = chunks.length) =>
    createBuiltinAnswerer().findExtracts!({ question: "What is the mast made of?", chunks }, quotable)

  it("is the best sentence of each document first, completed to three", () => {
    const chunks = [
      chunk("The mast is made of spruce. The mast is painted white.", "a"),
      chunk("Their mast was made of carbon, Ada said.", "b"),
      chunk("The mast arrived late.", "a"),
      chunk("Clouds drift.", "c"),
    ]
    const { extracts, documents } = find(chunks)
    expect(extracts.map(({ chunk }) => chunk).slice(0, 2)).toEqual([0, 1])
    expect(extracts).toHaveLength(3)
    expect(documents).toEqual(["a", "b"])
  })

  it("counts documents beyond those that may be quoted, and has at most five sentences", () => {
    const chunks = [
      "The mast is made of spruce.",
      "Ada made her mast from carbon tubes last winter.",
      "Steel was what the old mast was made of, said Grace.",
      "Whoever made this mast glued eleven strips together.",
      "They made a new mast after the storm broke ours.",
      "Larch would have made a cheaper mast.",
      "Nobody has made such a mast since.",
    ].map((text, i) => chunk(text, String(i)))
    const { extracts, documents } = find(chunks, 6)
    expect(extracts).toHaveLength(5)
    expect(new Set(extracts.map(({ chunk }) => chunk)).size).toBe(5)
    expect(documents).toHaveLength(7)
    expect(find(chunks, 2).extracts).toHaveLength(2)
  })

  it("is nothing if no sentence answers", () => {
    expect(find([chunk("Clouds drift.", "a")])).toEqual({ extracts: [], documents: [] })
  })
})

describe("the builtin answerer", () => {
  it("cites the chunk of each sentence", async () =>
    expect(
      await answer(
        "What do bees eat and where do they live?",
        "Bees eat nectar.",
        "Clouds drift.",
        "Bees live in hives.",
      ),
    ).toBe("Bees eat nectar. [1] Bees live in hives. [3]"))
  it("quotes single table rows, and no heading that only repeats the question", async () => {
    expect(await answer("What is the keel made of?", "Part | Wood\nMast | spruce\nKeel | iroko")).toBe(
      "Keel | iroko [1]",
    )
    expect(await answer("What does felting need?", "Felting\nFelting needs hot water.")).toBe(
      "Felting needs hot water. [1]",
    )
    expect(await answer("Do bees dance?", "Bees dance.")).toBe("Bees dance. [1]")
  })
  it("matches irregular verb forms", async () =>
    expect(await answer("What did the Marigold lose?", "Winds rose. The ketch Marigold lost her rudder.")).toBe(
      "The ketch Marigold lost her rudder. [1]",
    ))
  it("finds an answer that lacks a word of the question", async () => {
    const submarine = "The submarine is yellow."
    expect(
      await answer("What colour is the submarine?", submarine, "A submarine dives.", "Bees hum.", "Submarine races."),
    ).toContain(`${submarine} [1]`)
    expect(await answer("Who painted the Mona Lisa?", "The fence was painted white.", "Bees hum.")).toBe(
      NOT_IN_DOCUMENTS,
    )
  })
  it("quotes the reply to a question instead of the question", async () => {
    const talk =
      "We keep two hives. Do the honey bees sleep in the winter? No, they gather around the queen and shiver. Honey is sold."
    expect(await answer("What do the bees do in the winter?", talk)).toBe(
      "No, they gather around the queen and shiver. [1]",
    )
    expect(await answer("When does the ferry leave?", "When does the ferry leave?")).toBe(NOT_IN_DOCUMENTS)
    expect(await answer("Where is the ferry?", "Who asked? The ferry is at the pier.")).toBe(
      "The ferry is at the pier. [1]",
    )
  })
  it("removes the disfluencies of speech, and keeps the words of documents", async () => {
    const text = "So , uh , we 're we 're moving the the honey bees to th to the orchard ."
    const spoken = await answerFrom("Where do the honey bees move?", [{ text, title: "", isSpoken: true }])
    expect(spoken).toBe("We're moving the honey bees to the orchard. [1]")
    expect(await answer("Where do the honey bees move?", text)).toContain("we 're we 're moving")
  })
  it("strips Markdown marks and references", async () => {
    const faults =
      "## Faults\n\n| Part | Fault |\n|---|---|\n| Keel | **loose** bolts |\n\n- The [mast](x.md) has `one` fault [2].\n"
    expect(await answer("What is loose at the keel?", faults)).toBe("Keel | loose bolts [1]")
    expect(await answer("What fault does the mast have?", faults)).toBe("The mast has one fault. [1]")
  })
  it("quotes up to four chunks once each, those of other recordings first", async () => {
    const say = (document: string, text: string): AnswerChunk => ({ text, title: "", document, isSpoken: true })
    const chunks = [
      say("a", "The keel of the boat was made of iroko. The keel of the boat is heavy."),
      say("a", "A boat with an iron keel rusts within ten years at sea."),
      say("b", "Every second boat in this harbour lost its keel last winter."),
      say("c", "The keel of the boat was made of iroko."),
      say("d", "My grandfather painted the keel of his boat green each spring."),
      say("e", "You need four people to lift the keel out of such a boat."),
      say("f", "We sailed north."),
    ]
    const cited = (await answerFrom("What do we know about the keel of the boat?", chunks)).match(/\[\d\]/g)
    expect(cited?.sort()).toEqual(["[1]", "[3]", "[5]", "[6]"])
  })
  it("quotes one statement of a chunk", async () => {
    const text = "The keel of the boat is made of iroko. Four people scrape this keel every winter and paint the boat."
    expect((await answer("What about the keel of the boat?", text)).match(/\[1\]/g)).toHaveLength(1)
  })
  it("prefers a statement that can be understood by itself", async () => {
    const chunks = [
      { text: "And that's the keel of the.", title: "", isSpoken: true },
      { text: "We fastened the keel with sixteen bolts made of bronze.", title: "", isSpoken: true },
    ]
    expect(await answerFrom("What about the keel?", chunks)).toMatch(/^We fastened the keel/)
  })
  it("says that there is no answer if no chunk covers enough of the question", async () => {
    expect(await answer("Who won the football world cup?", "Bees eat nectar.")).toBe(NOT_IN_DOCUMENTS)
    expect(await answer("Felting", "Felting")).toBe(NOT_IN_DOCUMENTS)
  })
})
