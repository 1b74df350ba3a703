import { describe, expect, it } from "vitest"
import { EarmarkError } from "#lib/api/client/errors.ts"
import { detectContainer } from "#lib/platform/files/detect-format.ts"
import { isPermanentFailure, isRejection, stripFieldName, summarizeFailure } from "./job-failures.ts"

const failed = (detail: string) => ({ error: { stage: "whisper" as const, detail } })
const rejection = (name: string): string => {
  try {
    return detectContainer(new TextEncoder().encode("just some notes, and no sound at all"), name)
  } catch (error) {
    return (error as Error).message
  }
}

describe("a failed job", () => {
  it("summarizes its error in one clause without the file name", () => {
    expect(summarizeFailure(failed(rejection("notes.txt")))).toBe("Not a recording in a supported format")
    expect(summarizeFailure(failed("no such file: /a/b.mp3"))).toBe("No such file: /a/b.mp3")
    expect(summarizeFailure(failed("model not available: 'gemma4'. Fetch it. Or not"))).toBe(
      "Model not available: 'gemma4'",
    )
    expect(summarizeFailure(failed(""))).toBe("Stopped at “Transcribing”")
    expect(summarizeFailure({})).toBe("Stopped")
  })
  it("can be retried unless its file has no audio", () => {
    expect(isPermanentFailure(failed(rejection("notes.txt")))).toBe(true)
    expect(
      isPermanentFailure(failed("Couldn't read x.mp4: the file has no audio track. Choose a recording with sound.")),
    ).toBe(true)
    expect(isPermanentFailure(failed("no such file: /a/b.mp3"))).toBe(false)
    expect(isPermanentFailure({})).toBe(false)
  })
})

describe("a rejected upload", () => {
  it("shows the error without the field name", () => {
    expect(stripFieldName("file: the recording is empty (0 bytes)")).toBe("The recording is empty (0 bytes)")
    expect(stripFieldName("source: no such file: /a")).toBe("No such file: /a")
    expect(stripFieldName("the disk is full")).toBe("The disk is full")
  })
  it("can be sent again unless the file itself was rejected", () => {
    const rejected = (status: number) => isRejection(new EarmarkError(status, "no"))
    expect([413, 415, 422].map(rejected)).toEqual([true, true, true])
    expect([0, 401, 429, 502, 503, 507].map(rejected)).toEqual(Array(6).fill(false))
    expect(isRejection(new TypeError("failed"))).toBe(false)
  })
})
