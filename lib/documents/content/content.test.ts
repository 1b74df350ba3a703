import { describe, expect, it } from "vitest"
import type { ContentBlock, TextRun } from "../../domain/document-content.ts"
import { formatOf } from "../../domain/document-formats.ts"
import { parseDocument } from "../parse.ts"
import { splitDocument } from "../split.ts"
import { makeZip } from "../testing/make-zip.ts"
import { textOfBlock } from "./content-builder.ts"
import { placeChunks } from "./place-chunks.ts"
import { divideContent } from "./portions.ts"
import { readContent } from "./read-content.ts"

const extensionOf = (name: string) => name.slice(name.lastIndexOf("."))
const read = (name: string, content: string | Buffer) =>
  readContent(formatOf(name)!, Buffer.from(content), extensionOf(name))
const blocksOf = async (name: string, content: string | Buffer) => (await read(name, content)).map(({ block }) => block)

const toText = (runs: readonly TextRun[]): string =>
  runs
    .map(({ text, href, ...style }) => {
      const names = Object.keys(style).join("+")
      return `${names ? `${names}(${text})` : text}${href ? `<${href}>` : ""}`
    })
    .join("")

/** Writes a block as a line, such as `h1 Bees` or `first One | Two`. */
const line = (block: ContentBlock): string => {
  switch (block.type) {
    case "heading":
      return `h${block.level} ${toText(block.runs)}`
    case "paragraph":
      return `${block.quoted ? "quoted" : "p"} ${block.label ? `[${block.label}] ` : ""}${toText(block.runs)}`
    case "item":
      return `${" ".repeat(block.depth)}${block.marker} ${toText(block.runs)}`
    case "code":
      return `code ${block.language ?? ""}${block.continues ? " …" : ""}\n${block.text}`
    case "row":
      return `${block.role} ${block.cells.map(toText).join(" | ")}`
    case "rule":
      return "rule"
  }
}
const linesOf = async (name: string, content: string | Buffer) => (await blocksOf(name, content)).map(line)

describe("the content of a document", () => {
  it("has the headings, styles, links, lists, tables, quotations and code of Markdown", async () => {
    const markdown = [
      "---\nkey: value\n---",
      "# Bees *and* hives",
      "A **bold** [link](https://example.org/a) & `code`,  \nnext line.",
      "1. One\n   - [x] Done\n   - Sub\n2. Two",
      "| Name | Age |\n|---|---|\n| Ada | 36 |",
      "> Quoted",
      "```js\nlet a\n\nlet b\n```",
      "---",
      "&lt;b&gt; ~~gone~~",
    ]
    expect(await linesOf("a.md", markdown.join("\n\n"))).toEqual([
      "h1 Bees italic(and) hives",
      "p A bold(bold) link<https://example.org/a> & code(code),\nnext line.",
      "1. One",
      " ☑ Done",
      " • Sub",
      "2. Two",
      "head Name | Age",
      "body Ada | 36",
      "quoted Quoted",
      "code js\nlet a\n\nlet b",
      "rule",
      "p <b> struck(gone)",
    ])
  })
  it("has only the text and harmless links of a hostile page", async () => {
    const page = `<title>T</title><script>alert(1)</script><style>p{}</style><p onclick="x()">One <img src=x onerror=alert(2) alt="A picture">
      <a href="javascript:alert(3)">two</a> <a href=" JaVaScRiPt:alert(4)">three</a> <a href="data:text/html,x">four</a>
      <a href="https://example.org/?a=1&amp;b=2">five</a> <a href="mailto:a@example.org">six</a> <a href="//evil.example">seven</a></p>
      <iframe src="https://evil.example">no</iframe><svg><script>alert(5)</script></svg><form><input value="x"><p>eight</p></form>`
    expect(await linesOf("a.html", page)).toEqual([
      "p One A picture two three four five<https://example.org/?a=1&b=2> six<mailto:a@example.org> seven",
      "p eight",
    ])
    expect(
      await linesOf("a.md", "<img src=x onerror=alert(1)>[a](javascript:alert(2))<script>alert(3)</script>"),
    ).toEqual(["p a"])
  })
  it("keeps nested tables, unclosed elements and line ends of preformatted text of HTML", async () => {
    const page =
      "<table><tr><th>A<th>B<tr><td>1 <table><tr><td>in</table><td>2</table><ul><li>x<p>y</p><ol start=3><li>z</ol></ul><pre>\na\n b</pre>end"
    expect(await linesOf("a.html", page)).toEqual([
      "head A | B",
      "body 1 in | 2",
      "• x",
      " y",
      " 3. z",
      "code \na\n b",
      "p end",
    ])
  })
  it("has the headings, lists, tables, styles and links of Word", async () => {
    const run = (text: string, style = "") => `<w:r><w:rPr>${style}</w:rPr><w:t>${text}</w:t></w:r>`
    const body = [
      `<w:p><w:pPr><w:pStyle w:val="h2"/></w:pPr>${run("Food")}</w:p>`,
      `<w:p>${run("Plain ")}${run("bold", "<w:b/>")}${run(" not", '<w:b w:val="0"/>')}<w:hyperlink r:id="l">${run(" link")}</w:hyperlink></w:p>`,
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>${run("item")}</w:p>`,
      `<w:tbl><w:tr><w:tc><w:p>${run("a")}</w:p></w:tc><w:tc><w:p>${run("b")}</w:p></w:tc></w:tr></w:tbl>`,
    ]
    const docx = makeZip({
      "word/document.xml": `<w:document><w:body>${body.join("")}</w:body></w:document>`,
      "word/styles.xml": '<w:styles><w:style w:styleId="h2"><w:name w:val="heading 2"/></w:style></w:styles>',
      "word/_rels/document.xml.rels":
        '<Relationships><Relationship Id="l" Target="https://example.org/" TargetMode="External"/></Relationships>',
    })
    expect(await linesOf("a.docx", docx)).toEqual([
      "h1 Food",
      "p Plain bold(bold) not link<https://example.org/>",
      " • item",
      "first a | b",
    ])
  })
  it("has the levels of headings without gaps", async () => {
    expect(await linesOf("a.md", "## A\n\n#### B\n\n### C\n\n#### D\n\n# E\n\n###### F")).toEqual([
      "h1 A",
      "h2 B",
      "h2 C",
      "h3 D",
      "h1 E",
      "h2 F",
    ])
  })
  it("has the rows of tables, with column names where there are some", async () => {
    expect(await linesOf("a.csv", "name,age\nAda,36\n\nBob,\n")).toEqual([
      "head name | age",
      "body Ada | 36",
      "body Bob | ",
    ])
    expect(await linesOf("a.tsv", "1\t2\n3\t4\n")).toEqual(["first 1 | 2", "body 3 | 4"])
  })
  it("has JSON as formatted code, in parts of one value each", async () => {
    expect(await linesOf("a.json", '{"a":1,"b":[{"c":2},{"d":[3]}]}')).toEqual([
      "code json\n{",
      'code json …\n  "a": 1,',
      'code json …\n  "b": [',
      'code json …\n    {\n      "c": 2\n    },',
      'code json …\n    {\n      "d": [\n        3\n      ]\n    }',
      "code json …\n  ]",
      "code json …\n}",
    ])
  })
  it("has the paragraphs of a text and the times of subtitles", async () => {
    expect(await linesOf("a.txt", "Title\n\n  One\ntwo\n\n\nThree")).toEqual(["p Title", "p   One\ntwo", "p Three"])
    expect(await linesOf("a.srt", "1\n01:02:03,000 --> 01:02:05,000\nHello\n")).toEqual(["p [1:02:03] Hello"])
  })
  it("divides what is too long, without losing text", async () => {
    const words = Array.from({ length: 4000 }, (_, i) => `word${i}`).join(" ")
    const paragraphs = await blocksOf("a.md", words)
    expect(paragraphs.length).toBeGreaterThan(4)
    expect(Math.max(...paragraphs.map((block) => textOfBlock(block).length))).toBeLessThanOrEqual(6000)
    expect(paragraphs.map(textOfBlock).join("")).toBe(words)
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}`).join("\n")
    const code = await blocksOf("a.md", `\`\`\`\n${lines}\n\`\`\``)
    expect(code.map((block) => block.type === "code" && block.continues === true)).toEqual([false, true, true, true])
    expect(code.map(textOfBlock).join("\n")).toBe(lines)
  })
})

describe("the chunks of a document", () => {
  const split = { chunkSize: 120, chunkOverlap: 40 }
  /** Returns the chunks with the text that they extend over in the content. */
  const place = async (name: string, content: string) => {
    const blocks = await read(name, content)
    const extracted = await parseDocument(formatOf(name)!, Buffer.from(content), extensionOf(name))
    const chunks = [...splitDocument(extracted, split)].map(({ text }) => text)
    const placed = placeChunks(blocks, chunks, split.chunkOverlap)
    return chunks.map((chunk, i) => {
      const ranges = placed.filter((range) => range.chunk === i)
      return {
        chunk,
        text: ranges.map(({ block, from, to }) => textOfBlock(blocks[block]!.block).slice(from, to)).join("\n"),
      }
    })
  }
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "")
  const sentences = Array.from({ length: 30 }, (_, i) => `Sentence number ${i} is about the topic of bees.`).join(" ")

  it("are exactly where their text is, with the sentences that they repeat", async () => {
    for (const name of ["a.txt", "a.md", "a.html"])
      for (const { chunk, text } of await place(name, `Title\n\n${sentences}\n\n${sentences}`))
        expect([name, letters(text)]).toEqual([name, letters(chunk)])
  })
  it("are the rows of a table", async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `person ${i},${i % 3},same\n`).join("")
    const placed = await place("a.csv", `name,group,note\n${rows}`)
    expect(placed.length).toBeGreaterThan(5)
    for (const { chunk, text } of placed) expect(text.match(/person \d+/g)).toEqual(chunk.match(/person \d+/g))
  })
  it("are found in Markdown whose links and pictures only the chunks contain", async () => {
    const markdown = `# One\n\n![a](https://example.org/long/path.png)\n\nSee [the page](https://example.org/other) about the dance of the bees.\n\n${sentences}`
    const [first, second] = await place("a.md", markdown)
    expect(first!.text).toContain("the page about the dance of the bees.")
    const linked = Array.from({ length: 12 }, (_, i) => `Sentence ${i} is [linked](https://example.org/${i}).`).join(
      " ",
    )
    for (const { chunk, text } of await place("a.md", linked))
      expect(text.match(/Sentence \d+ is linked/g)?.length).toBe(chunk.match(/Sentence/g)!.length)
    expect(letters(second!.text)).toBe(letters(second!.chunk))
  })
  it("are an empty range where they are expected, if their text is not there", async () => {
    const blocks = await read("a.txt", "One\n\nTwo")
    expect(placeChunks(blocks, ["One", "absent", "Two"], 0)).toEqual([
      { chunk: 0, block: 0, from: 0, to: 3 },
      { chunk: 1, block: 1, from: 0, to: 0 },
      { chunk: 2, block: 1, from: 0, to: 3 },
    ])
  })
})

describe("the portions of a document", () => {
  it("have its blocks and chunks once, and the first chunk that begins in them", async () => {
    const text = Array.from({ length: 400 }, (_, i) => `Paragraph ${i} says something.`).join("\n\n")
    const blocks = await read("a.txt", text)
    const chunks = placeChunks(
      blocks,
      blocks.map(({ indexed }) => indexed),
      0,
    )
    const { portions } = divideContent(blocks, chunks)
    expect(portions.map(({ entry }) => [entry.blocks, entry.first_chunk])).toEqual([
      [150, 0],
      [150, 150],
      [100, 300],
    ])
    expect(portions.flatMap((portion) => portion.blocks)).toEqual(blocks.map(({ block }) => block))
    expect(portions[1]!.chunks[0]).toEqual({
      chunk: 150,
      block: 0,
      from: 0,
      to: textOfBlock(blocks[150]!.block).length,
    })
  })
  it("have a chunk that extends over two of them in both", async () => {
    const blocks = await read("a.txt", Array.from({ length: 160 }, (_, i) => `P ${i}`).join("\n\n"))
    const ranges = [145, 146, 147, 148, 149, 150, 151].map((block) => ({ chunk: 0, block, from: 0, to: 3 }))
    const { portions } = divideContent(blocks, [...ranges, { chunk: 1, block: 149, from: 0, to: 3 }])
    expect(portions.map((portion) => portion.chunks.length)).toEqual([6, 2])
    expect(portions.map(({ entry }) => entry.first_chunk)).toEqual([0, 2])
  })
  it("are of one page each, and an outline of too many headings keeps the upper levels", async () => {
    const heading = (i: number) => `${i % 10 === 0 ? "#" : "##"} Heading ${i}\n\ntext`
    const blocks = await read("a.md", Array.from({ length: 2500 }, (_, i) => heading(i)).join("\n\n"))
    const { outline } = divideContent(blocks, [])
    expect([outline.length, outline[1]]).toEqual([250, { portion: 0, block: 20, level: 1, text: "Heading 10" }])
    const paged = blocks.slice(0, 4).map((block, i) => ({ ...block, page: i < 3 ? 1 : 2 }))
    expect(divideContent(paged, []).portions.map(({ entry }) => [entry.page, entry.blocks])).toEqual([
      [1, 3],
      [2, 1],
    ])
  })
})
