import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createParser } from "./parser.ts"
import { bundleParser } from "./testing/parser-file.ts"

describe("createParser", () => {
  let bundle: Awaited<ReturnType<typeof bundleParser>>
  beforeAll(async () => {
    bundle = await bundleParser()
  }, 30_000)
  afterAll(() => bundle.remove())
  const open = (limits: { timeoutMs?: number; memoryMb?: number } = {}) =>
    createParser({ file: bundle.file, ...limits })
  const html = (text: string) => Buffer.from(text)

  it("parses concurrent requests one at a time", async () => {
    const parser = open()
    const texts = await Promise.all(
      ["one", "two"].map((t) =>
        parser.parse("/a.html", "html", html(`<h1>${t}</h1>`)).then((e) => e.sections[0]!.text),
      ),
    )
    expect(texts).toEqual(["one", "two"])
    await parser.close()
  })
  it("stops parsing a file that needs too much time or memory, and parses the next", async () => {
    const slow = open({ timeoutMs: 1000 })
    const long = html("<div>".repeat(6_000_000))
    await expect(slow.parse("/long.html", "html", long)).rejects.toThrow(
      "Couldn't read long.html: it takes longer than 1 s",
    )
    expect((await slow.parse("/a.html", "html", html("<p>fine"))).sections[0]!.text).toBe("fine")
    await slow.close()
    const small = open({ memoryMb: 64 })
    const large = html("<p>a b c d</p>".repeat(3_000_000))
    await expect(small.parse("/big.html", "html", large)).rejects.toThrow("more than 64 MB of memory")
    await small.close()
  }, 30_000)
  it("limits the memory of large tables too", async () => {
    const small = open({ memoryMb: 64 })
    const table = (rows: number) => html(`a,b\n${"1,2\n".repeat(rows)}`)
    expect((await small.parse("/a.csv", "csv", table(2))).sections[0]!.text).toBe("a: 1; b: 2\na: 1; b: 2")
    await expect(small.parse("/b.csv", "csv", table(3_000_000))).rejects.toThrow("more than 64 MB of memory")
    await small.close()
  }, 30_000)
  it("reports a damaged file, and stops when the signal aborts", async () => {
    const parser = open()
    await expect(parser.parse("/a.docx", "docx", html("no archive"))).rejects.toThrow(
      /Couldn't read a\.docx: its archive is damaged/,
    )
    const controller = new AbortController()
    const reading = parser.parse("/deep.html", "html", html("<div>".repeat(1_000_000)), controller.signal)
    setTimeout(() => controller.abort(new Error("aborted")), 200)
    await expect(reading).rejects.toThrow("aborted")
    await parser.close()
  })
})
