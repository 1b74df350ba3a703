import { describe, expect, it } from "vitest"
import { decodeXml } from "./decode-xml.ts"

const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><title>Über “Bienen”</title>`
const plain = (encoding: string) => declared(encoding).replace(/[“”]/g, "'")
const utf16be = (text: string): Buffer => Buffer.from(text, "utf16le").swap16()

describe("decodeXml", () => {
  it.each([
    ["UTF-8 without a declaration", Buffer.from("<title>Über</title>"), undefined, "<title>Über</title>"],
    ["ISO-8859-1 by its declaration", Buffer.from(plain("ISO-8859-1"), "latin1"), undefined, plain("ISO-8859-1")],
    ["Latin-1 by its content type", Buffer.from("<a>Ü</a>", "latin1"), 'text/xml; charset="iso-8859-1"', "<a>Ü</a>"],
    [
      "quotation marks of Windows-1252",
      Buffer.from([...Buffer.from("<a>"), 0x93, 0x94, ...Buffer.from("</a>")]),
      "text/xml; charset=iso-8859-1",
      "<a>“”</a>",
    ],
    [
      "little-endian UTF-16 with a byte-order mark",
      Buffer.from(`\ufeff${declared("utf-16")}`, "utf16le"),
      undefined,
      declared("utf-16"),
    ],
    [
      "big-endian UTF-16 with a byte-order mark",
      utf16be(`\ufeff${declared("utf-16")}`),
      "text/xml; charset=utf-8",
      declared("utf-16"),
    ],
    [
      "little-endian UTF-16 without a byte-order mark",
      Buffer.from(declared("utf-16"), "utf16le"),
      undefined,
      declared("utf-16"),
    ],
    ["big-endian UTF-16 without a byte-order mark", utf16be(declared("utf-16")), undefined, declared("utf-16")],
    [
      "a document with an unknown encoding name as UTF-8",
      Buffer.from(declared("x-none")),
      "text/xml; charset=x-other",
      declared("x-none"),
    ],
  ])("decodes %s", (_, bytes, contentType, text) => {
    expect(decodeXml(bytes, contentType)).toBe(text)
  })
})
