import { describe, expect, it } from "vitest"
import { formatOf } from "../../domain/document-formats.ts"
import { parseDocument } from "../parse.ts"
import { makeZip } from "../testing/make-zip.ts"

const read = async (name: string, parts: Readonly<Record<string, string>>) =>
  parseDocument(formatOf(name)!, makeZip(parts), name.slice(name.lastIndexOf(".")))

const rels = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`)
    .join("")}</Relationships>`
const properties = (title: string) =>
  `<cp:coreProperties><dc:creator>Ada</dc:creator><dc:title> ${title} </dc:title><dc:subject>x</dc:subject></cp:coreProperties>`

describe("an Excel file", () => {
  type Sheets = Readonly<Record<string, string>>
  const workbook = (sheets: string, targets: Sheets, parts: Sheets = {}) =>
    read("a.xlsx", {
      "xl/workbook.xml": `<workbook><sheets>${sheets}</sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": rels(targets),
      ...parts,
    })
  /** Reads one sheet. Returns its lines. */
  const linesOf = async (rows: string, parts: Sheets = {}) => {
    const { sections } = await workbook(
      `<sheet name="S" r:id="r1"/>`,
      { r1: "worksheets/sheet1.xml" },
      { "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`, ...parts },
    )
    return sections.flatMap(({ text }) => text.split("\n"))
  }
  const row = (...cells: string[]) => `<row>${cells.join("")}</row>`
  const cell = (value: string, attributes = "") => `<c ${attributes}><v>${value}</v></c>`

  it("has a section per visible sheet, in order, with its name and its number", async () => {
    const sheet = (value: string) => `<worksheet><row>${cell(value)}</row></worksheet>`
    const { title, sections } = await workbook(
      `<sheet name="B" r:id="r2"/><sheet r:id="r1" state="hidden"/><sheet name="X" state="veryHidden" r:id="r3"/><sheet name="None" r:id="r9"/><sheet name="Lost" r:id="r4"/><sheet name="Last" r:id="r3"/>`,
      { r1: "worksheets/a.xml", r2: "/xl/worksheets/b.xml", r3: "../xl/worksheets/./c.xml", r4: "worksheets/d.xml" },
      {
        "xl/worksheets/a.xml": sheet("1"),
        "xl/worksheets/b.xml": sheet("2"),
        "xl/worksheets/c.xml": sheet("3"),
        "docProps/core.xml": properties("Budget"),
      },
    )
    expect(title).toBe("Budget")
    expect(sections).toEqual([
      { text: "2", page: 1, heading: "B", lines: true },
      { text: "1", page: 2, lines: true },
      { text: "3", page: 4, heading: "Last", lines: true },
    ])
  })

  it("has texts, numbers, booleans and results of formulas", async () => {
    const strings =
      "<sst><si><t>one</t><rPh><t>!</t></rPh></si><si><r><t>t</t></r><r><rPr>no</rPr><t>wo</t></r></si></sst>"
    const cells = [
      cell("0", 't="s"'),
      cell("1", 't="s"'),
      cell("7", 't="s"'),
      cell("1", 't="b"'),
      cell("0", 't="b"'),
      cell("4.50"),
      `<c t="str"><f>A1&amp;B1</f><v>sum</v></c>`,
      `<c t="inlineStr"><is><t>in</t><t>line</t></is></c>`,
      cell("#N/A", 't="e"'),
    ]
    expect(await linesOf(row(...cells), { "xl/sharedStrings.xml": strings })).toEqual([
      "one! | two | true | false | 4.50 | sum | inline | #N/A",
    ])
  })

  it("has cells in their columns, also without a reference, and none after the thousandth", async () => {
    const names = row(...["A", "B", "C"].map((name) => `<c t="str"><v>name ${name}</v></c>`))
    expect(await linesOf(`${names}${row(cell("x", 'r="C2" t="str"'), cell("y", 'r="B2" t="str"'))}`)).toEqual([
      "name B: y; name C: x",
    ])
    expect(await linesOf(`${names}${row(cell("x", 'r="B2"'), cell("y"))}`)).toEqual(["name B: x; name C: y"])
    const wide = row(cell("first", 't="str"'), cell("last", 'r="ALL1" t="str"'), cell("out", 'r="ALM1" t="str"'))
    expect(await linesOf(wide)).toEqual(["first | last"])
    expect(await linesOf(row(cell("1", 'r="Z1"'), cell("2", 'r="AA1"')))).toEqual(["1 | 2"])
  })

  it("shows the dates and times of cells with a date format", async () => {
    const formats = [
      ...[0, 13, 14, 22, 23].map((id) => `<xf numFmtId="${id}"/>`),
      ...[164, 165, 166, 167].map((id) => `<xf numFmtId="${id}"/>`),
      "<xf/>",
    ]
    const styles = `<styleSheet><numFmts>
      <numFmt numFmtId="164" formatCode="yyyy-mm"/><numFmt numFmtId="165" formatCode="0.00&quot;days&quot;"/>
      <numFmt numFmtId="166" formatCode="[Red]0\\d"/><numFmt numFmtId="167" formatCode="D. MMM"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats.join("")}</cellXfs>
      <cellStyles><xf numFmtId="14"/></cellStyles></styleSheet>`
    const dateIn = async (style: number, value = "45000.5", type = "") => {
      const lines = await linesOf(row(cell(value, `s="${style}" ${type}`)), { "xl/styles.xml": styles })
      return lines[0]
    }
    const shown = await Promise.all(formats.map((_, style) => dateIn(style)))
    const [number, date] = ["45000.5", "2023-03-15 12:00"]
    expect(shown).toEqual([number, number, date, date, number, date, number, number, date, number])
    expect(await dateIn(2, "45000")).toBe("2023-03-15")
    expect(await dateIn(2, "1")).toBe("1899-12-31")
    expect(await dateIn(2, "45000.00001")).toBe("2023-03-15 00:00:00.864Z")
    expect(await dateIn(2, "no date")).toBe("no date")
    expect(await dateIn(2, "45000", 't="str"')).toBe("45000")
    expect(await dateIn(2, "")).toBeUndefined()
    expect(await dateIn(99)).toBe(number)
  })

  it("is rejected without a workbook", async () => {
    await expect(read("a.xlsx", { "a.txt": "x" })).rejects.toMatchObject({
      code: "invalid",
      message: "it is not an Excel file (xl/workbook.xml is missing)",
    })
  })
})

describe("a Word file", () => {
  const document = (body: string, parts: Readonly<Record<string, string>> = {}) =>
    read("a.docx", { "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>`, ...parts })
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
  const paragraph = (text: string, style = "") =>
    `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${run(text)}</w:p>`
  const STYLES = `<w:styles>${Object.entries({
    t: "Title",
    h1: "heading 1",
    h2: "Heading 2",
    no: "my heading 1",
    n: "Normal",
  })
    .map(([id, name]) => `<w:style w:styleId="${id}"><w:name w:val="${name}"/></w:style>`)
    .join("")}</w:styles>`

  it("has a section per heading, with the headings above", async () => {
    const body = [
      paragraph("Before."),
      paragraph("Bees", "t"),
      paragraph("One."),
      paragraph("Food", "h2"),
      paragraph("Two.", "n"),
      paragraph(" ", "h1"),
      paragraph("Three.", "no"),
      paragraph("Tides", "h1"),
    ]
    expect(await document(body.join(""), { "word/styles.xml": STYLES })).toEqual({
      title: "Bees",
      sections: [
        { text: "Before." },
        { text: "Bees\n\nOne.", heading: "Bees" },
        { text: "Food\n\nTwo.\n\n \n\nThree.", heading: "Bees › Food" },
        { text: "Tides", heading: "Tides" },
      ],
    })
    const titled = await document(paragraph("Bees", "h1"), {
      "word/styles.xml": STYLES,
      "docProps/core.xml": properties("Properties"),
    })
    expect(titled.title).toBe("Properties")
  })

  it("has tabs, line breaks and the texts of runs, but no deleted text and field codes", async () => {
    const body = `<w:p>${run("a")}<w:r><w:tab/></w:r>${run("b")}<w:r><w:br/></w:r>${run("c")}<w:r><w:cr/></w:r>${run("d")}<w:r><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText></w:r>${run("e")}</w:p>`
    expect((await document(body)).sections).toEqual([{ text: "a\tb\nc\nde" }])
  })

  it("has tables, also nested ones, with a line per row", async () => {
    const table = (...rows: string[][]) =>
      `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((text) => `<w:tc>${text}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`
    const body = `${paragraph("Before.")}${table(
      [paragraph("a"), paragraph("b")],
      [table([paragraph("c")]), paragraph("d") + paragraph("e")],
    )}${paragraph("After.")}`
    const [section] = (await document(body)).sections
    expect(section!.text).toBe("Before.\n\na  | b \nc \n | d e \n\nAfter.")
  })

  it("has its notes after the text, without a heading", async () => {
    const notes = (text: string) => `<w:footnotes>${paragraph(text)}</w:footnotes>`
    const { sections } = await document(paragraph("Bees", "h1"), {
      "word/styles.xml": STYLES,
      "word/footnotes.xml": notes("Foot."),
      "word/endnotes.xml": notes("End."),
    })
    expect(sections).toEqual([{ text: "Bees", heading: "Bees" }, { text: "Foot." }, { text: "End." }])
  })
})

describe("a PowerPoint file", () => {
  const shape = (type: string, ...paragraphs: string[]) =>
    `<p:sp>${type && `<p:ph type="${type}"/>`}${paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("")}</p:sp>`
  const slides = (list: readonly string[], parts: Readonly<Record<string, string>> = {}) =>
    read("a.pptx", {
      "ppt/presentation.xml": `<p:presentation>${list.map((_, i) => `<p:sldId r:id="r${i}"/>`).join("")}<p:sldId r:id="none"/></p:presentation>`,
      "ppt/_rels/presentation.xml.rels": rels(
        Object.fromEntries([...list.map((_, i) => [`r${i}`, `slides/s${i}.xml`]), ["lost", "slides/lost.xml"]]),
      ),
      ...Object.fromEntries(list.map((xml, i) => [`ppt/slides/s${i}.xml`, `<p:sld>${xml}</p:sld>`])),
      ...parts,
    })

  it("has the title, the text and tables of each slide, but no numbers, dates and footers", async () => {
    const table =
      "<p:graphicFrame><a:tc><a:p><a:t>food</a:t></a:p></a:tc><a:tc><a:p><a:t>nectar</a:t></a:p></a:tc></p:graphicFrame>"
    const { title, sections } = await slides(
      [
        shape("ctrTitle", "On", "bees") + shape("title", "Second") + shape("", "One.", "Two.") + table,
        shape("sldNum", "7") + shape("dt", "today") + shape("ftr", "Ada") + shape("body", "Line<a:br/>break"),
        shape("subTitle", "No title") + shape("", " "),
        shape("dt", "today"),
      ],
      { "docProps/core.xml": properties("Talk") },
    )
    expect(title).toBe("Talk")
    expect(sections).toEqual([
      { text: "On\nbees\n\nSecond\n\nOne.\nTwo.\n\nfood\n | nectar\n |", page: 1, heading: "On bees" },
      { text: "Line\nbreak", page: 2 },
      { text: "No title", page: 3 },
    ])
  })

  it("has the notes of each slide, and skips slides that are missing", async () => {
    const { sections } = await slides([shape("", "One."), shape("", "Two.")], {
      "ppt/presentation.xml": `<p:presentation><p:sldId r:id="lost"/><p:sldId r:id="r1"/><p:sldId r:id="r0"/></p:presentation>`,
      "ppt/slides/_rels/s0.xml.rels": rels({ a: "../media/a.png", n: "../notesSlides/n.xml" }),
      "ppt/slides/_rels/s1.xml.rels": rels({ n: "../notesSlides/lost.xml" }),
      "ppt/notesSlides/n.xml": `<p:notes>${shape("", "Say hello.")}</p:notes>`,
    })
    expect(sections).toEqual([
      { text: "Two.", page: 2 },
      { text: "One.\n\nSay hello.", page: 3 },
    ])
    await expect(read("a.pptx", { "a.txt": "x" })).rejects.toMatchObject({
      code: "invalid",
      message: "it is not a PowerPoint file (ppt/presentation.xml is missing)",
    })
  })

  it("has no text of parts outside the archive", async () => {
    const external = `<Relationships><Relationship Id="r0" Target="slides/s0.xml" TargetMode="External"/><Relationship Target="x"/><Relationship Id="y"/></Relationships>`
    const { sections } = await slides([shape("", "One.")], { "ppt/_rels/presentation.xml.rels": external })
    expect(sections).toEqual([])
  })
})

describe("an EPUB", () => {
  const book = (path: string, xml: string, parts: Readonly<Record<string, string>>) =>
    read("a.epub", {
      "META-INF/container.xml": `<container><rootfile full-path="${path}"/><rootfile full-path="other.opf"/></container>`,
      [path]: `<package>${xml}</package>`,
      ...parts,
    })
  const chapter = (text: string) => `<html><body><h2>${text}</h2><p>Text.</p></body></html>`

  it("has the chapters of its spine, each with its own headings", async () => {
    const { title, sections } = await book(
      "book.opf",
      `<dc:title> On bees </dc:title><item id="a" href="a.xhtml#top"/><item id="b" href="text/b.xhtml"/><item id="c" href="lost.xhtml"/><item href="x"/><item id="d"/>
       <itemref idref="b"/><itemref/><itemref idref="c"/><itemref idref="d"/><itemref idref="unknown"/><itemref idref="a"/>`,
      { "a.xhtml": chapter("A"), "text/b.xhtml": `<h1>B</h1>${chapter("B2")}` },
    )
    expect(title).toBe("On bees")
    expect(sections.map(({ heading, text }) => [heading, text.replace(/\s+/g, " ")])).toEqual([
      ["B", "B"],
      ["B › B2", "B2 Text."],
      ["A", "A Text."],
    ])
  })

  it("is rejected without its package file", async () => {
    const message = "it is not an EPUB (the package file is missing)"
    await expect(read("a.epub", { "a.txt": "x" })).rejects.toMatchObject({ code: "invalid", message })
    const container = `<container><rootfile full-path="lost.opf"/></container>`
    await expect(read("a.epub", { "META-INF/container.xml": container })).rejects.toMatchObject({ message })
  })
})
