import { describe, expect, it } from "vitest"
import { findNearestName } from "./nearest-name.ts"

const NAMES = ["title", "language", "source", "speakers", "speech_engine"]

describe("findNearestName", () => {
  it.each([
    ["titel", "title"],
    ["Title", "title"],
    ["langauge", "language"],
    ["lang", "language"],
    ["speaker", "speakers"],
    ["spe", null],
    ["offset", null],
    ["", null],
    ["x".repeat(5000), null],
  ])("finds the name that %j means: %j", (given, name) => expect(findNearestName(given, NAMES)).toBe(name))
})
