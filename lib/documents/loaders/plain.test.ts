import { describe, expect, it } from "vitest"
import { formatOf } from "../../domain/document-formats.ts"
import { createDocumentBuilder } from "../document-builder.ts"
import { matchesFormat } from "../formats.ts"
import { parseDocument } from "../parse.ts"
import { resolveTarget } from "./archive.ts"
import { parseCsv } from "./csv.ts"
import { readHtml } from "./html.ts"
import { parseHtml } from "./html-parser.ts"
import { decodeText } from "./text.ts"

const read = async (name: string, content: string | Buffer) =>
  parseDocument(formatOf(name)!, Buffer.from(content), name.slice(name.lastIndexOf(".")))
const textOf = async (name: string, content: string) => (await read(name, content)).sections[0]!.text

describe("a table", () => {
  it.each([
    ["a,b", "a | b"],
    ["a;b,c;d", "a | b,c | d"],
    ["a\tb", "a | b"],
    ["a|b|c,d", "a | b | c,d"],
    ['"a,b,c";d', "a,b,c | d"],
    ["a,b;c", "a | b;c"],
    ["none", "none"],
    ["1,2\n3;4;5", "1 | 2"],
  ])("has the separator that is most frequent in the first line of %j", async (text, line) => {
    expect((await textOf("a.csv", text)).split("\n")[0]).toBe(line)
  })

  it("has quoted cells with separators, line ends and quotes", () => {
    expect(parseCsv('a,"b,\n""c""",d"e"\n,\n"x"', ",")).toEqual([["a", 'b,\n"c"', 'd"e"'], ["", ""], ["x"]])
    expect(parseCsv("a,b", ",")).toEqual([["a", "b"]])
    expect(parseCsv("a,", ",")).toEqual([["a", ""]])
    expect(parseCsv("a\n", ",")).toEqual([["a"]])
    expect(parseCsv("", ",")).toEqual([])
  })

  it("names the values by the first row if that contains only names", async () => {
    expect(await textOf("a.csv", "name,mass\nbee,\n,3\n,\nwasp,4,extra")).toBe(
      "name: bee\nmass: 3\nname: wasp; mass: 4; extra",
    )
    for (const first of ["name,2026", "name,", "name,1.5%", `name,${"x".repeat(81)}`])
      expect(await textOf("a.csv", `${first}\nbee,3`)).toBe(`${first.split(",").filter(Boolean).join(" | ")}\nbee | 3`)
    expect(await textOf("a.csv", `name,${"x".repeat(80)}\nbee,3`)).toBe(`name: bee; ${"x".repeat(80)}: 3`)
    expect(await textOf("a.csv", "name,mass")).toBe("name | mass")
    expect(await textOf("a.csv", "name\nbee")).toBe("name\nbee")
    expect(await textOf("a.tsv", "a,b\tc\nd\t e  f ")).toBe("a,b: d; c: e f")
    expect((await read("a.csv", "name,mass\nbee,3")).sections).toEqual([{ text: "name: bee; mass: 3", lines: true }])
    expect((await read("a.csv", " , \n,")).sections).toEqual([])
  })
})

describe("JSON", () => {
  it.each([
    ['{"a":null,"b":"","c":0,"d":false}', "c: 0\nd: false"],
    ['[{"a":1,"b":[]},{"a":{"b":{"c":2}}}]', "a: 1\na.b.c: 2"],
    ['{"a":[1,"two",true],"b":[[1],[2]]}', "a: 1, two, true\nb.0: 1\nb.1: 2"],
    ['{"list":[{"a":1,"b":2},7,{"c":3}]}', "list: a: 1; b: 2\nlist: 7\nlist: c: 3"],
    ['{"list":[{"a":null},{"b":1}]}', "list: \nlist: b: 1"],
    ['{"a":{"b":1,"c":2}}', "a.b: 1\na.c: 2"],
    ['"only\\n text "', "only text"],
    ['{"a":"one\\n  two"}', "a: one two"],
    ["7", "7"],
  ])("%s is %j", async (json, text) => {
    expect(await textOf("a.json", json)).toBe(text)
  })

  it("has an ellipsis in place of values that are nested too deeply", async () => {
    const nest = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
    expect(await textOf("a.json", nest(64))).toMatch(/: 1$/)
    expect(await textOf("a.json", nest(66))).toMatch(/: …$/)
  })

  it("is rejected if it is damaged, and has a line per line of JSON Lines", async () => {
    await expect(read("a.json", "{")).rejects.toMatchObject({ code: "invalid", message: "the file is not JSON" })
    await expect(read("a.ndjson", '{"a":1}\n\n{')).rejects.toMatchObject({ message: "line 3 is not JSON" })
    expect((await read("a.jsonl", '{"a":1,"b":{"c":2}}\n \n[{"d":3}]\n')).sections).toEqual([
      { text: "a: 1; b.c: 2\n0.d: 3", lines: true },
    ])
  })
})

describe("HTML", () => {
  const htmlOf = (html: string) => {
    const document = createDocumentBuilder()
    const title = readHtml(html, document)
    return { title, texts: document.build().sections.map(({ text, heading }) => (heading ? [heading, text] : text)) }
  }
  const text = (html: string) => htmlOf(html).texts[0]

  it("separates blocks, lines, list items and cells", () => {
    expect(text("<p>a</p><p>b<br>c</p>d")).toBe("a\n\nb\nc\n\nd".replace("c\n\nd", "c\nd"))
    expect(text("<ul><li>a<li>b</ul>")).toBe("a\nb")
    expect(text("<table><tr><th>a</th><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>")).toBe("a | b\n\nc | d")
    expect(text("a<hr>b")).toBe("a\n\nb")
    expect(text("a<span> b</span><i>c</i>")).toBe("a bc")
  })

  it("collapses white space, except in preformatted text", () => {
    expect(text("<p> a \n\n <b> b </b>\tc </p>")).toBe("a b c")
    expect(text("<pre>  a\n    b  \n\n\n\nc</pre><p> d  e")).toBe("a\n    b\n\nc\n\nd e")
    expect(text("<pre>x  <pre>y  z</pre></pre><p>a  b")).toBe("x\n\ny  z\n\na b")
  })

  it("omits elements that are no text, also nested ones", () => {
    const skipped = "script style noscript template svg math iframe object canvas audio video select nav".split(" ")
    for (const name of skipped) expect(text(`a<${name}><b>no</b></${name}>b`)).toBe("ab")
    expect(text("a<nav><svg></svg>no</nav>b")).toBe("ab")
    expect(text("a</svg></nav>b")).toBe("ab")
    expect(text("<nav><h1>no</h1><p>no</nav>b")).toBe("b")
  })

  it("has the first title, and sections with the headings above", () => {
    expect(htmlOf("<title>A \n b</title><title>c</title>x")).toEqual({ title: "A b", texts: ["x"] })
    expect(htmlOf("a<h1> B <i>c</i></h1>d<h3>E</h3>f<h2>G</h2>").texts).toEqual([
      "a",
      ["B c", "B c\n\nd"],
      ["B c › E", "E\n\nf"],
      ["B c › G", "G"],
    ])
    expect(htmlOf("a</h1>b").texts).toEqual(["ab"])
  })

  it("closes elements like a browser", () => {
    const eventsOf = (html: string) => {
      const events: string[] = []
      parseHtml(html, {
        open: (name) => events.push(`<${name}>`),
        text: (part) => events.push(part),
        close: (name) => events.push(`</${name}>`),
      })
      return events.join("")
    }
    expect(eventsOf("<P>a<B>b</p>c")).toBe("<p>a<b>b</b></p>c")
    expect(eventsOf("<img>a<br/>b")).toBe("<img>a<br>b")
    expect(eventsOf("<div/>a</div>")).toBe("<div>a</div>")
    expect(eventsOf("<svg><path/>a</svg>")).toBe("<svg><path></path>a</svg>")
    expect(eventsOf("<svg></svg><i/>a")).toBe("<svg></svg><i>a</i>")
    expect(eventsOf("<math><mi/></math>")).toBe("<math><mi></mi></math>")
    expect(eventsOf("a</p>b</br>c</i>d")).toBe("a<p></p>b<br>c d".replace("c d", "cd"))
    expect(eventsOf("<b>&lt;&#65;<!-- no --><![CDATA[no]]>")).toBe("<b><A</b>")
  })
})

describe("Markdown", () => {
  it("has sections by heading, with its own marks removed", async () => {
    expect(await read("a.md", "Intro.\n\n  ## Bees ##\nOne.\n#### Food #x\nTwo.\n # Tides #\n")).toEqual({
      title: "Bees",
      sections: [
        { text: "Intro.\n" },
        { text: "  ## Bees ##\nOne.", heading: "Bees" },
        { text: "#### Food #x\nTwo.", heading: "Bees › Food #x" },
        { text: " # Tides #\n", heading: "Tides" },
      ],
    })
  })

  it("has no headings in code, in front matter and without a space", async () => {
    const headings = async (text: string) => (await read("a.md", text)).sections.map(({ heading }) => heading)
    expect(await headings("---\n# no\n---\n\ntext")).toEqual([undefined])
    expect((await read("a.md", "---\ntitle: x\n---\ntext")).sections[0]!.text).toBe("text")
    expect(await headings("~~~\n# no\n```\n# no\n~~~\n# yes")).toEqual([undefined, "yes"])
    expect(await headings("   ```js\n# no\n   ````\n# yes")).toEqual([undefined, "yes"])
    expect(await headings("#no\n\n    # no\n####### no\ntext")).toEqual([undefined])
    expect(await headings("a ```\n# yes")).toEqual([undefined, "yes"])
  })
})

describe("subtitles", () => {
  it("have a section per cue, with times in seconds", async () => {
    const srt = "1\n00:01:02,500 --> 01:00:00,25\nOne\ntwo\n\n \n2\n00:00:03,000 --> 00:00:04,000\n\n3\nno times\n"
    expect((await read("a.srt", srt)).sections).toEqual([
      { text: "One two", start_s: 62.5, end_s: 3600.25, lines: true },
    ])
  })

  it("have no markup, but the names of speakers", async () => {
    const cue = async (text: string) => textOf("a.vtt", `WEBVTT\n\n00:01.000 --> 00:02.000 line:0\n${text}`)
    expect(await cue("<v.loud Ada L.>Hi</v> <00:01.500><c.x>there</c>{\\an8}!")).toBe("Ada L.: Hi there!")
    expect(await cue("a &amp; b &lt;c&gt;&nbsp; d")).toBe("a & b <c> d")
    expect(await cue("<v>x</v> 1 < 2 {y}")).toBe("x 1 < 2 {y}")
  })
})

describe("text", () => {
  it("is decoded by its byte-order mark, else as UTF-8 or Windows-1252", () => {
    expect(decodeText(Buffer.from([0xef, 0xbb, 0xbf, 0xc3, 0xa4]))).toBe("ä")
    expect(decodeText(Buffer.from([0xfe, 0xff, 0x00, 0xe4]))).toBe("ä")
    expect(decodeText(Buffer.from([0xff, 0xfe, 0xe4, 0x00]))).toBe("ä")
    expect(decodeText(Buffer.from([0x80, 0x93, 0x94]))).toBe("€“”")
    expect(decodeText(Buffer.from([0xff]))).toBe("ÿ")
    expect(decodeText(Buffer.from("a\r\nb\rc\u0007d\te\u007f"))).toBe("a\nb\nc d\te ")
    expect(decodeText(Buffer.from([0xff, 0xfe, 0x00, 0xd8]))).toBe("\ufffd")
  })

  it("has a title if a short first line is followed by an empty one", async () => {
    const titleOf = async (text: string) => (await read("a.txt", text)).title
    expect(await titleOf("\n  Bees \n \t\nThey dance.")).toBe("Bees")
    expect(await titleOf("Bees\nThey dance.\n\nAlways.")).toBeUndefined()
    expect(await titleOf(`${"x".repeat(160)}\n\n.`)).toBe("x".repeat(160))
    expect(await titleOf(`${"x".repeat(161)}\n\n.`)).toBeUndefined()
    expect(await titleOf("Bees")).toBeUndefined()
  })
})

describe("formats", () => {
  it("are recognized by extension, in any case", () => {
    expect(["a.MD", "b.Htm", "c.log", "d.ndjson", "e.pptm", "f.exe", "md", ".md"].map(formatOf)).toEqual([
      "markdown",
      "html",
      "text",
      "json",
      "pptx",
      null,
      null,
      null,
    ])
  })

  it("are compared with the first bytes of a file", () => {
    const zip = Buffer.from("PK\x03\x04rest", "latin1")
    for (const format of ["docx", "pptx", "xlsx", "epub"] as const) {
      expect(matchesFormat(format, zip)).toBe(true)
      expect(matchesFormat(format, Buffer.from("xPK\x03\x04", "latin1"))).toBe(false)
    }
    expect(matchesFormat("pdf", Buffer.from(`${" ".repeat(1019)}%PDF-1.4`))).toBe(true)
    expect(matchesFormat("pdf", Buffer.from(`${" ".repeat(1020)}%PDF-1.4`))).toBe(false)
    expect(matchesFormat("text", Buffer.from("plain"))).toBe(true)
    expect(matchesFormat("text", Buffer.from("a\0b"))).toBe(false)
    expect(matchesFormat("csv", Buffer.from([0xff, 0xfe, 0x61, 0]))).toBe(true)
    expect(matchesFormat("csv", Buffer.from([0xfe, 0xff, 0, 0x61]))).toBe(true)
    expect(matchesFormat("csv", Buffer.from([0x61, 0xff, 0xfe, 0]))).toBe(false)
    expect(matchesFormat("json", Buffer.from(`${"a".repeat(1024)}\0`))).toBe(true)
  })
})

describe("a reference between parts of an archive", () => {
  it.each([
    ["xl", "worksheets/a.xml", "xl/worksheets/a.xml"],
    ["xl", "/word/a.xml", "word/a.xml"],
    ["xl/b", "../a.xml", "xl/a.xml"],
    ["xl", "../../../a.xml", "a.xml"],
    ["", "./b//a.xml", "b/a.xml"],
  ])("in %j to %j is %j", (folder, target, path) => {
    expect(resolveTarget(folder, target)).toBe(path)
  })
})
