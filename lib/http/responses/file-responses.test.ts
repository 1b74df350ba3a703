import { Readable } from "node:stream"
import { describe, expect, it, vi } from "vitest"
import { archiveResponse, audioResponse, documentResponse, exportResponse } from "./file-responses.ts"
import { ndjsonResponse } from "./ndjson-response.ts"

const headersOf = (response: Response) => Object.fromEntries(response.headers)

describe("a file", () => {
  it("of an export is a download with its name", async () => {
    const response = exportResponse({ content: "1\n", type: "application/x-subrip", name: "Größe.srt" })
    expect(await response.text()).toBe("1\n")
    expect(headersOf(response)).toEqual({
      "content-type": "application/x-subrip",
      "content-disposition": expect.stringMatching(/^attachment; filename=.*filename\*=UTF-8''Gr%C3%B6%C3%9Fe\.srt$/),
      "cache-control": "no-store",
    })
  })

  it("of a document opens in the browser only if it is a PDF by its contents", async () => {
    const send = (name: string, text: string) => documentResponse({ bytes: Buffer.from(text), name })
    expect(headersOf(send("a.pdf", "%PDF-1.7"))).toEqual({
      "content-type": "application/pdf",
      "content-disposition": `inline; filename="a.pdf"; filename*=UTF-8''a.pdf`,
      "content-length": "8",
      "cache-control": "private, no-cache",
    })
    for (const name of ["a.pdf", "a.html"])
      expect(headersOf(send(name, "<script>"))).toMatchObject({
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; filename="${name}"; filename*=UTF-8''${name}`,
      })
    expect(await send("a.txt", "text").text()).toBe("text")
  })

  it("of several exports is a zip file of unknown length", async () => {
    const response = archiveResponse(Readable.from([Buffer.from("PK"), Buffer.from("zip")]))
    expect(headersOf(response)).toEqual({
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="earmark.zip"; filename*=UTF-8''earmark.zip`,
      "cache-control": "no-store",
    })
    expect(await response.text()).toBe("PKzip")
  })

  it("of a recording is sent, or its address if the storage serves it itself", async () => {
    const close = vi.fn(async () => undefined)
    const read = vi.fn(() => Readable.from([Buffer.from("sound")]))
    const audio = { size: 5, mtimeMs: 0, type: "audio/wav", read, close, file: vi.fn() }
    const request = new Request("http://localhost/audio")
    const sent = await audioResponse(request, { ...audio, link: async () => null })
    expect([sent.status, await sent.text(), close.mock.calls]).toEqual([200, "sound", []])
    const linked = await audioResponse(request, { ...audio, link: async () => "https://s3.example/a?sig=1" })
    expect([linked.status, linked.headers.get("location"), linked.headers.get("cache-control")]).toEqual([
      307,
      "https://s3.example/a?sig=1",
      "no-store",
    ])
    expect([close.mock.calls, read.mock.calls.length]).toEqual([[[]], 1])
  })
})

describe("a download of lines", () => {
  it("has one JSON object per line", async () => {
    async function* lines() {
      yield* [{ a: "two\nlines" }, 1, null]
    }
    const response = ndjsonResponse(lines(), "library.jsonl")
    expect(await response.text()).toBe('{"a":"two\\nlines"}\n1\nnull\n')
    expect(headersOf(response)).toEqual({
      "content-type": "application/x-ndjson",
      "content-disposition": `attachment; filename="library.jsonl"; filename*=UTF-8''library.jsonl`,
      "cache-control": "no-store",
    })
  })

  it("breaks off if reading fails, and stops reading when the client disconnects", async () => {
    async function* failing() {
      yield 1
      throw new Error("the store is gone")
    }
    await expect(ndjsonResponse(failing(), "a").text()).rejects.toThrow("the store is gone")
    const end = vi.fn()
    async function* endless() {
      try {
        for (;;) yield 1
      } finally {
        end()
      }
    }
    const reader = ndjsonResponse(endless(), "a").body!.getReader()
    await reader.read()
    await reader.cancel()
    expect(end).toHaveBeenCalledOnce()
  })
})
