import { describe, expect, it } from "vitest"
import { decodeError, lastErrorLine } from "./ffmpeg.ts"

describe("lastErrorLine", () => {
  it("returns the last line without prefixes and without repeating the path", () => {
    const stderr = "[mp3 @ 0x55] Header missing\n[mov,mp4 @ 0x55b] moov atom not found\n/t/x.m4a: Invalid data found\n"
    expect(lastErrorLine(stderr, "/t/x.m4a")).toBe("Invalid data found")
    expect(lastErrorLine("[flac @ 0x1] [x @ 0x2] invalid residual", "/t/x.flac")).toBe("invalid residual")
  })

  it("removes all paths except the given one", () => {
    expect(lastErrorLine("[hls @ 0x1] Failed to open '/etc/passwd' for file:/t/x.mp3", "/t/x.mp3")).toBe(
      "Failed to open '…' for /t/x.mp3",
    )
    expect(lastErrorLine("cannot open http://127.0.0.1:80/secret", "/t/x.mp3")).not.toContain("secret")
  })
})

describe("decodeError", () => {
  it("blames the file if the decoder fails, and not if it is killed", () => {
    expect(decodeError("/t/x.mp3", { code: 1, signal: null, stderr: "Invalid argument" })).toMatchObject({
      code: "unsupported_media",
      retry: "never",
    })
    expect(decodeError("/t/x.mp3", { code: null, signal: "SIGKILL", stderr: "" })).toMatchObject({
      code: "unavailable",
      retry: "retry",
    })
  })
})
