import { describe, expect, it } from "vitest"
import { NOT_IN_DOCUMENTS } from "../types.ts"
import { createBuiltinAnswerer } from "./answerer.ts"

const { signal } = new AbortController()
const answer = async (question: string, ...texts: string[]): Promise<string> => {
  let whole = ""
  const chunks = texts.map((text) => ({ text, title: "" }))
  for await (const part of createBuiltinAnswerer().answer({ question, chunks }, signal)) whole += part
  return whole
}

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
  it("says that there is no answer if no chunk covers enough of the question", async () => {
    expect(await answer("Who won the football world cup?", "Bees eat nectar.")).toBe(NOT_IN_DOCUMENTS)
    expect(await answer("Felting", "Felting")).toBe(NOT_IN_DOCUMENTS)
  })
})
