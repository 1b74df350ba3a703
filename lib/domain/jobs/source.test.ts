import { describe, expect, it } from "vitest"
import { defaultTitle, parseContentDispositionName } from "./source.ts"

describe("defaultTitle", () => {
  it.each([
    ["https://cdn.example/pod/Episode%202%20%22bees%22.mp3?token=1", 'Episode 2 "bees".mp3'],
    ["https://cdn.example/100%.flac", "100%.flac"],
    ["https://cdn.example/stream?id=7", "https://cdn.example/stream?id=7"],
    ["https://cdn.example/", "https://cdn.example/"],
  ])("returns the file name of %s: %s", (url, title) => expect(defaultTitle({ kind: "url", url })).toBe(title))
  it("returns the name of a file or an upload", () => {
    expect(defaultTitle({ kind: "file", path: "/srv/talks/one.wav" })).toBe("one.wav")
    expect(defaultTitle({ kind: "upload", path: "/blobs/ab.wav", name: "two.wav" })).toBe("two.wav")
  })
})

describe("parseContentDispositionName", () => {
  it.each([
    ['attachment; filename="two words.mp3"', "two words.mp3"],
    ['attachment; filename="a\\"b.mp3"; size=3', 'a"b.mp3'],
    ["inline;filename=plain.ogg", "plain.ogg"],
    [`attachment; filename="x.mp3"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.mp3`, "Grüße.mp3"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ["attachment", null],
    ['attachment; filename=""', null],
    [undefined, null],
  ])("reads %s as %s", (header, name) => expect(parseContentDispositionName(header)).toBe(name))
})
