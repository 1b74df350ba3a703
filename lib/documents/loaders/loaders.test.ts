import { describe, expect, it } from "vitest"
import { formatOf } from "../../domain/document-formats.ts"
import { parseDocument } from "../parse.ts"
import { makePdf as pdf } from "../testing/make-pdf.ts"
import { makeZip } from "../testing/make-zip.ts"

const read = (name: string, content: string | Buffer) =>
  parseDocument(formatOf(name)!, Buffer.from(content), name.slice(name.lastIndexOf(".")))

const rels = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`)
    .join("")}</Relationships>`

describe("text", () => {
  it("uses a first line that is followed by an empty line as the title", async () => {
    expect(await read("a.txt", "Bees\n\nThey dance.")).toEqual({
      title: "Bees",
      sections: [{ text: "Bees\n\nThey dance." }],
    })
  })
  it("decodes UTF-16 and Windows-1252, and replaces control characters", async () => {
    const first = async (content: Buffer) => (await read("a.txt", content)).sections[0]!.text
    expect(await first(Buffer.from("\ufeffnaïve", "utf16le"))).toBe("naïve")
    expect(await first(Buffer.from([0x6e, 0x61, 0xef, 0x76, 0x65]))).toBe("naïve")
    expect(await first(Buffer.from("a\0b\r\nc"))).toBe("a b\nc")
  })
})

describe("markdown", () => {
  it("divides at headings, keeps their path, and ignores headings in code", async () => {
    const { title, sections } = await read(
      "a.md",
      "# Bees\n\nIntro.\n\n## Dance\n\n```\n# no heading\n```\nThey waggle.",
    )
    expect(title).toBe("Bees")
    expect(sections.map((s) => s.heading)).toEqual(["Bees", "Bees › Dance"])
    expect(sections[1]!.text).toContain("# no heading")
  })
})

describe("html", () => {
  it("extracts text with headings and omits scripts and styles", async () => {
    const { title, sections } = await read(
      "a.html",
      "<title>Bees &amp; tides</title><script>alert(1)</script><h1>Bees</h1><p>They <b>waggle</b>.<p>Twice.<style>p{}</style><h2>Food</h2><ul><li>nectar<li>pollen</ul>",
    )
    expect(title).toBe("Bees & tides")
    expect(sections.map((s) => s.heading)).toEqual(["Bees", "Bees › Food"])
    expect(sections[0]!.text).toMatch(/They waggle\.\s+Twice\./)
    expect(JSON.stringify(sections)).not.toMatch(/alert|p\{\}/)
  })
  it("closes unclosed elements", async () => {
    const { sections } = await read(
      "a.html",
      "<div><nav>Menu</div><p>Bees <svg/>and</p></p>tides</br>&eacute;<DIV>Tail",
    )
    expect(sections.map((s) => s.text.replace(/\s+/g, " "))).toEqual(["Bees and tides é Tail"])
  })
  it("parses a million nested elements in linear time", async () => {
    const { sections } = await read("a.html", `${"<div>".repeat(1_000_000)}deep${"</b></div>".repeat(500_000)}`)
    expect(sections.map((s) => s.text)).toEqual(["deep"])
  })
})

describe("pdf", () => {
  it("returns one section per page", async () => {
    const { sections } = await read("a.pdf", pdf("Bees dance.", "Tides rise."))
    expect(sections.map((s) => [s.page, s.text])).toEqual([
      [1, "Bees dance."],
      [2, "Tides rise."],
    ])
  })
  it("reports a file without text", async () => {
    await expect(read("a.pdf", pdf(""))).rejects.toThrow(/contains no text/)
  })
})

describe("docx", () => {
  const paragraph = (text: string, style = "") =>
    `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ""}<w:r><w:t>${text}</w:t></w:r></w:p>`
  it("detects headings by style names, and reads tables and notes", async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
    const file = makeZip({
      "word/document.xml": `<w:document><w:body>${paragraph("Bees", "berschrift1")}${paragraph("They dance.")}<w:tbl><w:tr>${cell("food")}${cell("nectar")}</w:tr></w:tbl></w:body></w:document>`,
      "word/styles.xml": `<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>`,
      "word/footnotes.xml": `<w:footnotes>${paragraph("A note.")}</w:footnotes>`,
    })
    const { title, sections } = await read("a.docx", file)
    expect(title).toBe("Bees")
    expect(sections[0]).toMatchObject({ heading: "Bees" })
    expect(sections[0]!.text).toMatch(/Bees\s+They dance\.\s+food\s+\| nectar/)
    expect(sections[1]!.text).toBe("A note.")
  })
  it("takes a style called heading 0 for no heading", async () => {
    const file = makeZip({
      "word/document.xml": `<w:document><w:body>${paragraph("Bees", "zero")}</w:body></w:document>`,
      "word/styles.xml": `<w:styles><w:style w:styleId="zero"><w:name w:val="heading 0"/></w:style></w:styles>`,
    })
    expect(await read("a.docx", file)).toEqual({ sections: [{ text: "Bees" }] })
  })
  it("reads a table with many rows in linear time", async () => {
    const row = "<w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr>"
    const rows = Array.from({ length: 30_000 }, (_, i) => row.replace("cell", `${(i * 2654435761) % 99991}`))
    const start = performance.now()
    const { sections } = await read("a.docx", makeZip({ "word/document.xml": `<w:tbl>${rows.join("")}</w:tbl>` }))
    expect(sections[0]!.text.split("\n")).toHaveLength(30_000)
    expect(performance.now() - start).toBeLessThan(3000)
  })
  it("rejects deeply nested XML", async () => {
    // The tags differ, so that the compression ratio stays within the limit.
    const tags = Array.from({ length: 5000 }, (_, i) => `<w:p w:rsidR="${(i * 2654435761).toString(16)}">`)
    const body = `<w:document><w:body>${tags.join("")}`
    await expect(read("a.docx", makeZip({ "word/document.xml": body }))).rejects.toThrow(/more than 1000 levels deep/)
  })
  it("does not expand custom entities", async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "AAAA"><!ENTITY f SYSTEM "file:///etc/passwd">]><w:document><w:body>${paragraph("x&a;&f;y")}</w:body></w:document>`
    const { sections } = await read("a.docx", makeZip({ "word/document.xml": bomb }))
    expect(sections[0]!.text).toBe("x&a;&f;y")
  })
  it("rejects damaged archives and archives that are too large", async () => {
    const zeros = makeZip({ "word/document.xml": Buffer.alloc(5 * 2 ** 20) })
    await expect(read("a.docx", zeros)).rejects.toThrow(/100 to 1/)
    const many = makeZip(Object.fromEntries(Array.from({ length: 3001 }, (_, i) => [`${i}.xml`, ""])))
    await expect(read("a.docx", many)).rejects.toThrow(/3000 entries/)
    await expect(read("a.docx", zeros.subarray(0, 200))).rejects.toThrow(/damaged/)
    await expect(read("a.docx", makeZip({ "a.txt": "x" }))).rejects.toThrow(/not a Word file/)
  })
  it("rejects an entry with a wrong declared size", async () => {
    const archive = makeZip({ "word/document.xml": "x".repeat(5000) })
    const at = archive.indexOf("PK\x01\x02", 0, "latin1")
    archive.writeUInt32LE(10, at + 24)
    await expect(read("a.docx", archive)).rejects.toThrow(/damaged/)
  })
})

describe("pptx", () => {
  it("returns the slides in presentation order, with notes", async () => {
    const shape = (text: string, type = "body") =>
      `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp>`
    const file = makeZip({
      "ppt/presentation.xml": `<p:presentation><p:sldIdLst><p:sldId r:id="r2"/><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
      "ppt/_rels/presentation.xml.rels": rels({ r1: "slides/slide1.xml", r2: "slides/slide2.xml" }),
      "ppt/slides/slide1.xml": `<p:sld>${shape("Tides", "title")}${shape("The Moon pulls.")}</p:sld>`,
      "ppt/slides/slide2.xml": `<p:sld>${shape("Bees", "title")}${shape("7", "sldNum")}</p:sld>`,
      "ppt/slides/_rels/slide2.xml.rels": rels({ n: "../notesSlides/notesSlide1.xml" }),
      "ppt/notesSlides/notesSlide1.xml": `<p:notes>${shape("Say hello.")}</p:notes>`,
    })
    const { sections } = await read("a.pptx", file)
    expect(sections).toEqual([
      { text: "Bees\n\nSay hello.", page: 1, heading: "Bees" },
      { text: "Tides\n\nThe Moon pulls.", page: 2, heading: "Tides" },
    ])
  })
})

describe("xlsx", () => {
  it("returns one line per row with column names and formatted dates", async () => {
    const file = makeZip({
      "xl/workbook.xml": `<workbook><sheets><sheet name="Hives" r:id="r1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": rels({ r1: "worksheets/sheet1.xml" }),
      "xl/sharedStrings.xml": "<sst><si><t>hive</t></si><si><r><t>se</t></r><r><t>en</t></r></si></sst>",
      "xl/styles.xml": `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
      "xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c><c r="B1" t="inlineStr"><is><t>mass</t></is></c></row><row><c r="A2" t="str"><v>north</v></c><c r="B2"><v>4.5</v></c><c r="C2" s="1"><v>45000</v></c></row></sheetData></worksheet>`,
    })
    const { sections } = await read("a.xlsx", file)
    expect(sections).toEqual([
      { text: "hive: north; mass: 4.5; seen: 2023-03-15", page: 1, heading: "Hives", lines: true },
    ])
  })
})

describe("epub", () => {
  it("returns the chapters in reading order, whatever the references of others", async () => {
    const file = makeZip({
      "META-INF/container.xml": `<container><rootfile full-path="OPS/book.opf"/></container>`,
      "OPS/book.opf": `<package><metadata><dc:title>On bees</dc:title></metadata><manifest><item id="x" href="100%.xhtml"/><item id="a" href="a.xhtml"/><item id="b" href="b%20c.xhtml"/></manifest><spine><itemref idref="x"/><itemref idref="b"/><itemref idref="a"/></spine></package>`,
      "OPS/a.xhtml": "<html><body><h1>Second</h1><p>Later.</p></body></html>",
      "OPS/b c.xhtml": "<html><body><h1>First</h1><p>Sooner.</p></body></html>",
    })
    const { title, sections } = await read("a.epub", file)
    expect(title).toBe("On bees")
    expect(sections.map((s) => s.heading)).toEqual(["First", "Second"])
  })
})

describe("tables and data", () => {
  it("cuts the path of keys, which one file can repeat for each of many values", async () => {
    const json = JSON.stringify({ ["k".repeat(60_000)]: Array.from({ length: 7500 }, () => ({ a: 1 })) })
    const { sections } = await read("a.json", json)
    expect(sections[0]!.text.length).toBeLessThan(7500 * 220)
    expect(sections[0]!.text).toMatch(/^k{199}…: a: 1\n/)
    const nested = JSON.stringify({ ["k".repeat(10_000)]: { ["l".repeat(10_000)]: [{ a: 1, b: 2 }] } })
    expect((await read("a.json", nested)).sections[0]!.text.length).toBeLessThan(500)
  })
  it("parses quoted cells and detects the separator", async () => {
    const { sections } = await read("a.csv", 'name;note\nbee;"a; ""b""\nc"\n')
    expect(sections[0]!.text).toBe('name: bee; note: a; "b" c')
  })
  it("reads JSON by field and element, and JSON Lines", async () => {
    const text = async (name: string, content: string) => (await read(name, content)).sections[0]!.text
    expect(await text("a.json", '{"title":"Bees","hives":[{"id":1,"at":{"x":2}}]}')).toBe(
      "title: Bees\nhives: id: 1; at.x: 2",
    )
    expect(await text("a.jsonl", '{"a":1}\n\n{"a":[1,2]}')).toBe("a: 1\na: 1, 2")
    await expect(read("a.jsonl", '{"a":1}\nno')).rejects.toThrow("line 2 is not JSON")
    const deep = `${"[".repeat(5000)}1${"]".repeat(5000)}`
    await expect(read("a.json", deep)).resolves.toBeDefined()
  })
})

describe("subtitles", () => {
  it("keeps the times of cues, with or without hours", async () => {
    const vtt =
      "WEBVTT\n\nNOTE no\n\n1\n00:01.000 --> 00:02.500\n<v Ada>Hello <i>there</i>\n\n01:00:00.000 --> 01:00:01.000 align:start\nBye"
    expect((await read("a.vtt", vtt)).sections).toEqual([
      { text: "Ada: Hello there", start_s: 1, end_s: 2.5, lines: true },
      { text: "Bye", start_s: 3600, end_s: 3601, lines: true },
    ])
    expect((await read("a.srt", "1\r\n00:00:01,250 --> 00:00:02,000\r\nHi\r\n")).sections[0]).toMatchObject({
      start_s: 1.25,
    })
  })
})
