import { Readable } from "node:stream"
import { describe, expect, it, vi } from "vitest"
import { rangeResponse } from "./range-response.ts"

const BYTES = Buffer.from("0123456789")
const open = () => ({
  size: BYTES.length,
  mtimeMs: Date.UTC(2026, 0, 2),
  type: "audio/wav",
  read: vi.fn(({ start, end }: { start: number; end: number }) => Readable.from([BYTES.subarray(start, end + 1)])),
  close: vi.fn(async () => {}),
})
const get = async (headers: Record<string, string> = {}) => {
  const source = open()
  const response = await rangeResponse(new Request("http://localhost/audio", { headers }), source)
  const text = await response.text()
  return { status: response.status, text, header: (name: string) => response.headers.get(name), source }
}

describe("rangeResponse", () => {
  it("sends the whole file without a range", async () => {
    const { status, text, header, source } = await get()
    expect([status, text, header("content-length"), header("content-range")]).toEqual([200, "0123456789", "10", null])
    expect([header("accept-ranges"), header("content-type")]).toEqual(["bytes", "audio/wav"])
    expect(source.close).not.toHaveBeenCalled()
  })

  it("sends a part, if If-Range names the current version", async () => {
    const part = await get({ range: "bytes=2-4" })
    expect([part.status, part.text, part.header("content-range")]).toEqual([206, "234", "bytes 2-4/10"])
    expect(part.header("content-length")).toBe("3")
    const range = { range: "bytes=2-4" }
    expect((await get({ ...range, "if-range": part.header("etag")! })).status).toBe(206)
    expect((await get({ ...range, "if-range": part.header("last-modified")! })).status).toBe(206)
    expect((await get({ ...range, "if-range": '"old"' })).text).toBe("0123456789")
  })

  it("sends no content for a known version, and closes the file", async () => {
    const etag = (await get()).header("etag")!
    const { status, text, source } = await get({ "if-none-match": etag })
    expect([status, text]).toEqual([304, ""])
    expect([source.read.mock.calls, source.close.mock.calls]).toEqual([[], [[]]])
  })

  it("rejects a range after the end with the size, and closes the file", async () => {
    const { status, text, header, source } = await get({ range: "bytes=10-" })
    expect([status, header("content-range")]).toEqual([416, "bytes */10"])
    expect(JSON.parse(text)).toMatchObject({ detail: expect.stringContaining("10 bytes") })
    expect([source.read.mock.calls, source.close.mock.calls]).toEqual([[], [[]]])
  })
})
