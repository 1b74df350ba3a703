import { AlignmentType, Document, Footer, HeadingLevel, Packer, PageNumber, Paragraph, TextRun } from "docx"
import { type AddedSection, clockOf, listAdditions } from "../../../domain/export/additions.ts"
import { type ExportableClip, oneLine } from "../../../domain/export/clip-text.ts"
import { listSections, type Section } from "../../../domain/export/sections.ts"
import type { SpeakerTurn } from "../../../domain/export/speaker-turns.ts"
import { formatClock } from "../../../domain/text/format-clock.ts"

const MUTED = "6C665B"

/** Removes the characters that XML 1.0 does not allow. */
const xmlText = (text: string): string => oneLine(text).replace(/[\ufffe\uffff]/g, "")

const toTurn = ({ name, start_s, text }: SpeakerTurn): Paragraph =>
  new Paragraph({
    spacing: { after: 160 },
    children: [
      ...(name === null ? [] : [new TextRun({ text: `${xmlText(name)}  `, bold: true })]),
      new TextRun({ text: `${formatClock(start_s)}  `, color: MUTED, size: 18 }),
      new TextRun(xmlText(text)),
    ],
  })

const toSection = ({ node, depth, turns }: Section): Paragraph[] => [
  new Paragraph({
    heading: depth === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2,
    keepNext: true,
    children: [
      new TextRun(xmlText(node.title)),
      new TextRun({ text: `  ${formatClock(node.start_s)}`, color: MUTED, size: 18, bold: false }),
    ],
  }),
  ...(node.summary
    ? [
        new Paragraph({
          spacing: { after: 160 },
          children: [new TextRun({ text: xmlText(node.summary), italics: true, color: MUTED })],
        }),
      ]
    : []),
  ...turns.map(toTurn),
]

const toAddition = ({ title, depth, origin, lines }: AddedSection): Paragraph[] => [
  new Paragraph({
    heading: depth === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2,
    keepNext: true,
    children: [new TextRun(xmlText(title))],
  }),
  ...(origin === ""
    ? []
    : [new Paragraph({ children: [new TextRun({ text: xmlText(origin), italics: true, color: MUTED })] })]),
  ...lines.map((line) => {
    const clock = clockOf(line)
    const detail = line.detail === null ? [] : [new TextRun({ text: xmlText(line.detail), color: MUTED, break: 1 })]
    return new Paragraph({
      bullet: { level: 0 },
      spacing: { after: 80 },
      children: [
        new TextRun(xmlText(line.text)),
        ...(clock === null ? [] : [new TextRun({ text: `  ${clock}`, color: MUTED, size: 18 })]),
        ...detail,
      ],
    })
  }),
]

/** Writes a Word document (Office Open XML): title, summary, topics as headings, and the transcript with speakers and times. */
export const toDocx = async (clip: ExportableClip): Promise<Uint8Array> => {
  const { summary, opening, sections } = listSections(clip)
  const document = new Document({
    title: xmlText(clip.title),
    creator: "Earmark",
    styles: {
      default: {
        document: { run: { font: "Calibri", size: 22 } },
        heading1: {
          run: { size: 30, bold: true, color: "1D1B17" },
          paragraph: { spacing: { before: 360, after: 80 } },
        },
        heading2: {
          run: { size: 25, bold: true, color: "1D1B17" },
          paragraph: { spacing: { before: 280, after: 80 } },
        },
        title: { run: { size: 44, bold: true, color: "1D1B17" }, paragraph: { spacing: { after: 160 } } },
      },
    },
    sections: [
      {
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                alignment: AlignmentType.CENTER,
                children: [new TextRun({ children: [PageNumber.CURRENT], color: MUTED, size: 18 })],
              }),
            ],
          }),
        },
        children: [
          new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(xmlText(clip.title))] }),
          ...(summary ? [new Paragraph({ spacing: { after: 240 }, children: [new TextRun(xmlText(summary))] })] : []),
          ...listAdditions(clip).flatMap(toAddition),
          ...opening.map(toTurn),
          ...sections.flatMap(toSection),
        ],
      },
    ],
  })
  return new Uint8Array(await Packer.toBuffer(document))
}
