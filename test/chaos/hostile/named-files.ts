import { deflateSync } from "node:zlib"
import { makeZip } from "#lib/documents/testing/make-zip.ts"

export type HostileFile = { readonly name: string; readonly content: string | Buffer }

const BLANKS = " ".repeat(1_000_000)

export const makeDocx = (body: string, styles = ""): Buffer =>
  makeZip({ "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>`, "word/styles.xml": styles })

const paragraph = (text: string, style = ""): string =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`

const headingStyle = (level: number): string =>
  `<w:styles><w:style w:styleId="h"><w:name w:val="heading ${level}"/></w:style></w:styles>`

/** Creates a PDF whose only page has this content, compressed. */
export const makePackedPdf = (content: string): Buffer => {
  const stream = deflateSync(Buffer.from(content, "latin1"))
  const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Count 1/Kids[3 0 R]>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 ${font}>>>>>>\nendobj\n4 0 obj\n<</Length ${stream.length}/Filter/FlateDecode>>\nstream\n`,
    ),
    stream,
    Buffer.from("\nendstream\nendobj\ntrailer<</Size 5/Root 1 0 R>>\n%%EOF"),
  ])
}

export const makeEpub = (chapters: Readonly<Record<string, string>>): Buffer => {
  const ids = Object.keys(chapters)
  return makeZip({
    "META-INF/container.xml": `<container><rootfile full-path="book.opf"/></container>`,
    "book.opf": `<package><manifest>${ids.map((id) => `<item id="${id}" href="${id}"/>`).join("")}</manifest><spine>${ids.map((id) => `<itemref idref="${id}"/>`).join("")}</spine></package>`,
    ...chapters,
  })
}

const cue = (text: string): string => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}`

/** The file types that stopped or exhausted a service before there were limits, in sizes that took seconds to days. */
const NAMED: Readonly<Record<string, () => string | Buffer>> = {
  "heading-blanks.md": () => `# a${" ".repeat(64_000)}b`,
  "heading-marks.md": () => `# a ${"#".repeat(64_000)}b`,
  "huge-headings.md": () => `# ${"h ".repeat(25_000)}\n${"## s\n\ntext\n\n".repeat(1500)}`,
  "huge-heading-rows.md": () => `# ${"h".repeat(50_000)}\n\n${"## x\n\nSome words. ".repeat(25_000)}`,
  "blanks.txt": () => `a${BLANKS}b`,
  "no-break-blanks.txt": () => `a${"\u00a0".repeat(400_000)}b`,
  "blank-lines.txt": () => "a \n\u00a0".repeat(200_000),
  "blanks.html": () => `<pre>a${BLANKS}b</pre>`,
  "huge-headings.html": () => `<h1>${"h".repeat(50_000)}</h1>${"<h2>s</h2><p>text</p>".repeat(5000)}`,
  "nested.html": () => "<div>".repeat(200_000),
  "blanks.docx": () => makeDocx(paragraph(`a${BLANKS.slice(0, 900_000)}b`)),
  "huge-headings.docx": () =>
    makeDocx(paragraph("h".repeat(20_000), "h") + (paragraph("s", "h") + paragraph("x")).repeat(5000), headingStyle(1)),
  "heading-zero.docx": () => makeDocx(paragraph("a", "h"), headingStyle(0)),
  "rows.docx": () => makeDocx(`<w:tbl>${"<w:tr><w:tc><w:t>a</w:t></w:tc></w:tr>".repeat(20_000)}</w:tbl>`),
  "entries.docx": () => makeZip(Object.fromEntries(Array.from({ length: 3500 }, (_, i) => [`${i}`, ""]))),
  "ratio.docx": () => makeZip({ "word/document.xml": BLANKS.repeat(20) }),
  "entities.docx": () =>
    makeZip({
      "word/document.xml": `<!DOCTYPE x [<!ENTITY a "${"A".repeat(1000)}">]><w:document>${paragraph("&a;".repeat(50_000))}</w:document>`,
    }),
  "repeated-key.json": () => `{"${"k".repeat(100_000)}":[${'{"a":1},'.repeat(37_500)}{}]}`,
  "nested-keys.json": () => `${`{"${"k".repeat(5000)}":`.repeat(60)}1${"}".repeat(60)}`,
  "blanks.json": () => JSON.stringify([BLANKS]),
  "lines.json": () => JSON.stringify(["\n ".repeat(200_000)]),
  "columns.csv": () => `${`${"n".repeat(80)},`.repeat(500)}\n${"1,".repeat(500_000)}`,
  "voice-blanks.vtt": () => cue(`<v${" ".repeat(500_000)}`),
  "voice-classes.vtt": () => cue("<v.".repeat(200_000)),
  "voices.vtt": () => cue("<v ".repeat(200_000)),
  "unpacked.pdf": () => makePackedPdf("BT /F1 12 Tf (a) Tj ET ".repeat(6_000_000)),
  "percent.epub": () => makeEpub({ "100%": "<p>a", "b.xhtml": "<p>b" }),
}

export const listNamedFiles = (): readonly string[] => Object.keys(NAMED)
export const makeNamedFile = (name: string): HostileFile => ({ name, content: NAMED[name]!() })
