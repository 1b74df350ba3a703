import { describe, expect, it } from "vitest"
import { getSourceError, parseSources } from "./sources.ts"

it("parses one source per line without duplicates", () => {
  expect(parseSources(" https://a.example/x.mp3\r\n\n~/b.wav \nhttps://a.example/x.mp3")).toEqual([
    "https://a.example/x.mp3",
    "~/b.wav",
  ])
})

describe("source validation", () => {
  it.each(["https://example.com/a.mp3", "FTP://host/x", "youtu.be/dQw4w9WgXcQ", "/srv/talk.mp3", "~/talk.mp3"])(
    "accepts %s",
    (line) => expect(getSourceError(line)).toBeNull(),
  )
  it.each(["hello world", "talk.mp3", "note: hello"])("rejects %s", (line) =>
    expect(getSourceError(line)).toContain("Enter a URL"),
  )
})
