import { describe, expect, it } from "vitest"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import { findActionItems, findDecisions } from "./find-cues.ts"

/** Two speakers take turns, a sentence each. */
const say = (...sentences: string[]): WordSpan[] => {
  let at = 0
  return sentences.flatMap((sentence, i) =>
    sentence.split(" ").map((word) => ({ word, start: at++, end: at, speaker: String(i % 2) })),
  )
}
const items = (...sentences: string[]) =>
  findActionItems(say(...sentences), { "0": "Ada Hill" }).map(({ text, ownerSpeaker, owner, due }) => ({
    text,
    owner: ownerSpeaker ?? owner,
    due,
  }))

describe("action items", () => {
  it("are what a speaker promises, with the deadline as it was said", () => {
    expect(items("So I'll send the minutes to everybody by Friday.")).toEqual([
      { text: "I'll send the minutes to everybody by Friday.", owner: "0", due: "by Friday" },
    ])
    expect(items("I am going to check the budget in two weeks.")[0]).toMatchObject({ owner: "0", due: "in two weeks" })
  })
  it("are requests, whose owner is the other of two speakers or who is named", () => {
    expect(items("Could you send me the slides, please?", "Sure.")[0]).toMatchObject({ owner: "1", due: null })
    expect(items("We met Bob yesterday.", "Okay.", "Bob will write up the report before the next meeting.")).toEqual([
      {
        text: "Bob will write up the report before the next meeting.",
        owner: "Bob",
        due: "before the next meeting",
      },
    ])
    expect(items("Okay Ada, can you book the room?")[0]).toMatchObject({ owner: "Ada" })
  })
  it("are what the group has to do; a weaker form needs a deadline", () => {
    expect(items("We need to find out what the case costs.")[0]).toMatchObject({ owner: null })
    expect(items("We should update the page of the project.")).toEqual([])
    expect(items("We should update the page of the project by the end of the month.")).toHaveLength(1)
    expect(items("Let's send them the new plan tomorrow morning.")[0]).toMatchObject({ due: "tomorrow morning" })
  })
  it.each([
    "If we send it by Friday, they will be late again.",
    "Should we send them the minutes by Friday?",
    "We don't need to send the minutes by Friday.",
    "I'll be honest with you about the price of it.",
    "The button that we need to check is on the left.",
    "I will send it to the.",
    "She had to send the minutes by Friday last year.",
    "Can you see the slides on the screen now?",
    "I'll send it.",
  ])("are not: %s", (sentence) => expect(items(sentence)).toEqual([]))
})

describe("decisions", () => {
  const decided = (...sentences: string[]) => findDecisions(say(...sentences)).map(({ text }) => text)
  it("are what was decided, agreed or chosen", () => {
    const said = [
      "We decided to use rubber for the case.",
      "Okay, let's go with the touch screen then.",
      "It was agreed that the logo stays yellow.",
      "We're going for an advanced chip on print.",
    ]
    expect(decided(...said)).toEqual([said[0], "Let's go with the touch screen then.", said[2], said[3]])
  })
  it.each([
    "We have not decided which color it has.",
    "Should we go with the touch screen now?",
    "Maybe we will go with the touch screen later.",
    "This is the chip that we're going to use.",
    "We're gonna have to increase the price of it.",
  ])("are not: %s", (sentence) => expect(decided(sentence)).toEqual([]))
})
