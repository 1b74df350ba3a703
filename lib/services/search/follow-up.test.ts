import { describe, expect, it } from "vitest"
import type { Answerer, RewriteRequest } from "../../engines/language/types.ts"
import type { PastTurn } from "../../storage/stores/ports/threads.ts"
import { carryWordsOver, isFollowUp, rewriteFollowUp } from "./follow-up.ts"

const signal = new AbortController().signal
const RENT: PastTurn = {
  question: "What is the monthly rent of the flat in Leith?",
  rewritten_question: null,
  answer: "It is 1,250 pounds. [1]",
}

describe("a follow-up", () => {
  it("has a pronoun, no content words of its own, or continues the question before", () => {
    const followUps = ["And for seniors?", "Why?", "When did they decide that?", "What about heating?", "Who said so?"]
    expect(followUps.filter((question) => !isFollowUp(question))).toEqual([])
    const whole = [
      "What is the mast of the boat made of?",
      "How many faults did the committee find in March?",
      "Is there a budget for the new harbor wall?",
    ]
    expect(whole.filter(isFollowUp)).toEqual([])
  })

  it("gets the content words of the question before", () => {
    expect(carryWordsOver("And for seniors?", RENT.question)).toBe("And for seniors: monthly rent flat leith")
    expect(carryWordsOver("Why?", RENT.question)).toBe("Why: monthly rent flat leith")
    expect(carryWordsOver("Who owns them?", "Who built the flats?")).toBe("Who owns them: built flats")
    expect(carryWordsOver("Is it rented monthly?", RENT.question)).toBe("Is it rented monthly: flat leith")
    expect(carryWordsOver("Who repaired the harbor wall in June?", RENT.question)).toBe(
      "Who repaired the harbor wall in June?",
    )
    expect(carryWordsOver("Why?", "What?")).toBe("Why?")
  })
})

describe("the rewriting of a question", () => {
  const answererThat = (written?: string) => {
    const requests: RewriteRequest[] = []
    const rewrite = async (request: RewriteRequest) => {
      requests.push(request)
      return written!
    }
    const answerer = { ...(written !== undefined && { rewrite }) } as unknown as Answerer
    return { answerer, requests }
  }
  const rewrite = (question: string, written?: string, past: readonly PastTurn[] = [RENT]) =>
    rewriteFollowUp(answererThat(written).answerer, question, past, signal)

  it("is left to the language model, which gets the questions before as they were understood", async () => {
    const { answerer, requests } = answererThat('"What is the monthly rent for seniors?"\n')
    const past = [RENT, { question: "And parking?", rewritten_question: "And parking: rent", answer: "None." }]
    expect(await rewriteFollowUp(answerer, "And for seniors?", past, signal)).toBe(
      "What is the monthly rent for seniors?",
    )
    expect(requests[0]!.past.map(({ question }) => question)).toEqual([RENT.question, "And parking: rent"])
  })

  it("uses the words of the question before if the model writes no question of this conversation", async () => {
    const carried = "And for seniors: monthly rent flat leith"
    const useless = ["", "One line.\nAnother line.", "x".repeat(600), "Which passwords does the attacker want?", "?"]
    for (const written of [...useless, undefined]) expect(await rewrite("And for seniors?", written)).toBe(carried)
  })

  it("is null for a whole question and without questions before", async () => {
    expect(await rewrite("Who repaired the harbor wall?", "Who repaired the harbor wall?")).toBeNull()
    expect(await rewrite("And for seniors?", "unused", [])).toBeNull()
  })

  it("carries words on through several follow-ups", async () => {
    const second = await rewrite("And for seniors?")
    const past = [RENT, { question: "And for seniors?", rewritten_question: second, answer: "Less." }]
    expect(await rewrite("Why?", undefined, past)).toBe("Why: seniors monthly rent flat leith")
  })
})
