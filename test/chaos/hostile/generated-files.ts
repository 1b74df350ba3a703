import { makeZip } from "#lib/documents/testing/make-zip.ts"
import { type HostileFile, makeDocx, makeEpub, makePackedPdf } from "./named-files.ts"

/** Random choices that a seed repeats (mulberry32). */
const createRandom = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    /** Small and large numbers are equally likely by order of magnitude. */
    size: (min: number, max: number): number => Math.floor(min * (max / min) ** next()),
  }
}
type Random = ReturnType<typeof createRandom>

/** Repeats a text up to a number of characters. */
const fill = (part: string, characters: number): string =>
  part.repeat(Math.max(1, Math.floor(characters / part.length)))

const PARTS = [
  " ", "\u00a0", "\t", "\n", " \n", "\n\t", "\r", ".", '."', ". ", "?!", "。", "’", "a", "a ", "a. ", "a\n", "x-", "🎧", "\u0301",
  "e.g. ", "1,", "-", "|", "| ", "* ", "[", "](", "`", "#", "&", "&amp;", "<", ">", "<a", "</", "\\", "{", "}", '"', "ก", "字",
] // biome-ignore format: a list of short texts

/** A long run of one or two parts, with something before and after it that does not match. */
const run = (random: Random, characters: number): string => {
  const part = random.pick(PARTS) + (random.size(1, 4) > 2 ? random.pick(PARTS) : "")
  return `${random.pick(["", "a", "# a", "<v"])}${fill(part, characters)}${random.pick(["", "b", "!", "\n\nend"])}`
}

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

type Shape = (random: Random, characters: number) => string | Buffer
const TEXT_SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  txt: [run],
  md: [
    run,
    (r, n) => `# ${run(r, n / 2)}\n\n${fill("## s\n\ntext\n\n", n / 2)}`,
    (r, n) => fill(`${"#".repeat(r.size(1, 7))} ${fill("h", r.size(1, 5000))}\n\nx\n\n`, n),
    (_, n) => `---\n${fill("---\n\n", n)}`,
    (_, n) => fill("```\n~~~\n", n),
  ],
  html: [
    run,
    (r, n) => fill(`<${r.pick(["div", "b", "svg", "table", "h1", "pre", "p"])}>`, n),
    (r, n) => `<h1>${fill("h", n / 2)}</h1>${fill(`<h${r.size(2, 7)}>s</h2>x`, n / 2)}`,
    (r, n) => `<pre>${run(r, n)}</pre>`,
    (r, n) => fill(r.pick(["<!--", "<![CDATA[", "<a href='", "&#x41;", "<td>", "</p>", "<title>"]), n),
  ],
  csv: [
    run,
    (r, n) => fill(r.pick(['"', '""', '",', ",", ";\n", '"\n"']), n),
    (r, n) => `${fill(`${fill("n", r.size(1, 80))},`, n / 4)}\n${fill("1,", n / 2)}\n${fill("2,", n / 4)}`,
  ],
  json: [
    (r, n) => JSON.stringify([run(r, n)]),
    (r, n) => `{"${fill("k", r.size(1, n))}":[${fill('{"a":1},', n)}{}]}`,
    (r, n) => {
      const depth = r.size(1, 2000)
      return `${fill(`{"${fill("k", n / depth)}":`, n)}1${"}".repeat(depth)}`
    },
    (_, n) => `[${fill("[1,[2]],", n)}[]]`,
    (r, n) => `{${fill(`"${fill("k", r.size(1, 100))}":{"a":{"b":{"c":1}}},`, n)}"z":1}`,
  ],
  jsonl: [(r, n) => fill(`{"${fill("k", r.size(1, 1000))}":[{"a":1},{"b":"  "}]}\n`, n)],
  vtt: [
    (r, n) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${run(r, n)}`,
    (r, n) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${fill(r.pick(["<v", "<v.", "<v ", "<", "{\\", "&lt;", "<c>"]), n)}`,
    (_, n) => fill("00:01.000 --> 00:02.000\nx\n\n", n),
    (r, n) => fill(r.pick(["00:", "1:00:00.000 -->", "\n\t", " 00:01.000  "]), n),
  ],
}

/** Parts of an archive below 1 MiB each, which may be compressed by any ratio. */
const BOMB_PART_CHARACTERS = 1_000_000

const ARCHIVE_SHAPES: Readonly<Record<string, readonly Shape[]>> = {
  docx: [
    (r, n) => makeDocx(`<w:p><w:t>${escapeXml(run(r, n))}</w:t></w:p>`),
    (_, n) => makeDocx(`<w:tbl>${fill("<w:tr><w:tc><w:t>a</w:t></w:tc></w:tr>", n)}</w:tbl>`),
    (r, n) => makeDocx(fill(r.pick(["<w:p>", "<w:tbl>", "<w:br/>", "<w:p/>", "<w:p><w:t>a</w:t></w:p>"]), n)),
  ],
  pptx: [
    (r, n) =>
      makeZip({
        "ppt/presentation.xml": `<p>${fill('<p:sldId r:id="r"/>', r.size(20, 20_000))}</p>`,
        "ppt/_rels/presentation.xml.rels": `<R><Relationship Id="r" Target="slides/s.xml"/></R>`,
        "ppt/slides/s.xml": `<p:sld><p:sp><p:ph type="title"/><a:p><a:t>${escapeXml(run(r, n))}</a:t></a:p></p:sp></p:sld>`,
      }),
  ],
  xlsx: [
    (r, n) =>
      makeZip({
        "xl/workbook.xml": `<w>${fill('<sheet name="S" r:id="r"/>', r.size(30, 3000))}</w>`,
        "xl/_rels/workbook.xml.rels": `<R><Relationship Id="r" Target="s.xml"/></R>`,
        "xl/styles.xml": `<s><numFmt numFmtId="9" formatCode="${fill("[", n / 2)}"/><cellXfs>${fill('<xf numFmtId="9"/>', n / 2)}</cellXfs></s>`,
        "xl/s.xml": `<sheetData>${fill(r.pick(['<row><c r="ZZ1"><v>1</v></c></row>', "<row/>", "<c><v>1</v></c>"]), n)}</sheetData>`,
      }),
  ],
  epub: [
    (r, n) =>
      makeEpub(
        Object.fromEntries(
          Array.from({ length: r.size(1, 150) }, (_, i) => [
            `${i}.xhtml`,
            `<h1>${fill("h", r.size(1, 10_000))}</h1>${run(r, Math.min(n, BOMB_PART_CHARACTERS))}`,
          ]),
        ),
      ),
  ],
  pdf: [
    (r, n) =>
      makePackedPdf(`BT /F1 12 Tf ${fill(r.pick(["(a) Tj ", "[(a)] TJ ", "q ", "1 0 0 1 0 0 cm ", "("]), n * 40)}`),
  ],
}

const SHAPES = Object.entries({ ...TEXT_SHAPES, ...ARCHIVE_SHAPES })

/** Creates the n-th hostile file of a seed, of 1 kB to 1 MB before compression. */
export const generateFile = (seed: number, n: number): HostileFile => {
  const random = createRandom(seed * 100_003 + n)
  const [extension, shapes] = SHAPES[n % SHAPES.length]!
  return { name: `${seed}-${n}.${extension}`, content: random.pick(shapes)(random, random.size(1000, 1_000_000)) }
}
