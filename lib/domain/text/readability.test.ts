import { describe, expect, it } from "vitest"
import { cleanSentence } from "./clean-sentence.ts"
import { scoreReadability } from "./readability.ts"

const clean = (text: string): string => cleanSentence(text.split(" "))

describe("cleanSentence on spontaneous speech", () => {
  it.each([
    ["so um basically the the c con construction is you know sort of a problem", "The construction is a problem."],
    [
      "and the once you know the focus everything else is background",
      "Once you know the focus everything else is background.",
    ],
    ["Mr. Chair , the programme helps small businesses", "The programme helps small businesses."],
    ["because we do you know what it costs today", "We do you know what it costs today."],
    ["we looked at this sort of remote control", "We looked at this sort of remote control."],
  ])("cleans: %s", (spoken, read) => expect(clean(spoken)).toBe(read))
})

describe("scoreReadability", () => {
  const good = scoreReadability("The echo canceller removes the loudspeaker from the signal of every microphone.")
  it("is 1 for a plain statement", () => expect(good).toBe(1))
  it.each([
    "Can the echo canceller remove the loudspeaker from the signal of every microphone?",
    "Which removes the loudspeaker from the signal of every single microphone here.",
    "The echo canceller removes the loudspeaker from the signal of every one, but.",
    "Thank you, and now we go on to the questions of the committee members.",
    "The echo and the loudspeaker and all of the microphones in every room.",
    "Okay, right.",
  ])("is lower for: %s", (text) => expect(scoreReadability(text)).toBeLessThan(0.7 * good))
})
