import { create as openFont } from "fontkit"
import PDFDocument from "pdfkit"
import { AppError } from "../../../domain/errors.ts"
import { type AddedSection, clockOf, listAdditions } from "../../../domain/export/additions.ts"
import { type ExportableClip, oneLine } from "../../../domain/export/clip-text.ts"
import { listSections, type Section } from "../../../domain/export/sections.ts"
import type { SpeakerTurn } from "../../../domain/export/speaker-turns.ts"
import { formatClock } from "../../../domain/text/format-clock.ts"

/** The bytes of two TrueType or OpenType fonts. A character that they lack is drawn as a box. */
export type PdfFonts = { readonly regular: Uint8Array; readonly bold: Uint8Array }

const INK = "#1d1b17"
const MUTED = "#6c665b"
/** In points, 1/72 inch. */
const MARGIN = 64
const FOOTER_HEIGHT = 32

type Pdf = InstanceType<typeof PDFDocument>

/** Returns the visible characters of a clip. */
const collectCharacters = (clip: ExportableClip): Set<string> =>
  new Set(
    [clip.title, ...Object.values(clip.speakers), ...clip.transcription.map(({ word }) => word)]
      .flatMap((text) => [...oneLine(text)])
      .filter((character) => !/\s|\p{C}/u.test(character)),
  )

/** A document with fewer missing characters, such as an emoji, is still worth reading. */
const MAX_MISSING_SHARE = 0.1

/** @throws AppError `invalid` if the font lacks many of the characters, or is none */
const requireCharacters = (bytes: Uint8Array, clip: ExportableClip): void => {
  const font = openFont(Buffer.from(bytes))
  if (!("hasGlyphForCodePoint" in font))
    throw new AppError("invalid", "The file of SERVICE_PDF_FONT is a collection of fonts. Set it to a single font.")
  const characters = [...collectCharacters(clip)]
  const missing = characters.filter((character) => !font.hasGlyphForCodePoint(character.codePointAt(0)!))
  if (missing.length > MAX_MISSING_SHARE * characters.length)
    throw new AppError(
      "invalid",
      `The PDF font lacks characters of this recording, such as '${missing[0]}'. Set SERVICE_PDF_FONT to a TrueType or OpenType font that has them, or export docx or html.`,
    )
}

/** Starts a new page unless `height` points are left on this one. */
const keepTogether = (pdf: Pdf, height: number): void => {
  if (pdf.y + height > pdf.page.height - pdf.page.margins.bottom) pdf.addPage()
}

const writeTurn = (pdf: Pdf, { name, start_s, text }: SpeakerTurn): void => {
  keepTogether(pdf, 36)
  pdf.fontSize(9)
  if (name !== null)
    pdf
      .font("bold")
      .fillColor(INK)
      .text(`${oneLine(name)}   `, { continued: true })
  pdf.font("regular").fillColor(MUTED).text(formatClock(start_s), { lineGap: 2 })
  pdf.fontSize(10).fillColor(INK).text(oneLine(text), { lineGap: 2 })
  pdf.moveDown(0.6)
}

const writeSection = (pdf: Pdf, { node, depth, turns }: Section): void => {
  keepTogether(pdf, 90)
  pdf.moveDown(depth === 1 ? 1 : 0.6)
  pdf
    .font("bold")
    .fontSize(depth === 1 ? 15 : 12)
    .fillColor(INK)
    .text(oneLine(node.title), { lineGap: 2 })
  pdf
    .font("regular")
    .fontSize(9.5)
    .fillColor(MUTED)
    .text(`${formatClock(node.start_s)}   ${oneLine(node.summary)}`, { lineGap: 2 })
  pdf.moveDown(0.8)
  for (const turn of turns) writeTurn(pdf, turn)
}

const writeAddition = (pdf: Pdf, { title, depth, origin, lines }: AddedSection): void => {
  keepTogether(pdf, 90)
  pdf.moveDown(depth === 1 ? 1 : 0.6)
  pdf
    .font("bold")
    .fontSize(depth === 1 ? 15 : 12)
    .fillColor(INK)
    .text(oneLine(title), { lineGap: 2 })
  if (origin !== "") pdf.font("regular").fontSize(9.5).fillColor(MUTED).text(origin, { lineGap: 2 })
  pdf.moveDown(0.4)
  for (const line of lines) {
    keepTogether(pdf, 30)
    const clock = clockOf(line)
    pdf
      .font("regular")
      .fontSize(10)
      .fillColor(INK)
      .text(`${oneLine(line.text)}${clock === null ? "" : `   ${clock}`}`, { lineGap: 2 })
    if (line.detail !== null) pdf.fontSize(9).fillColor(MUTED).text(oneLine(line.detail), { lineGap: 2 })
    pdf.moveDown(0.4)
  }
}

const writePageNumbers = (pdf: Pdf): void => {
  const { start, count } = pdf.bufferedPageRange()
  for (let i = start; i < start + count; i++) {
    pdf.switchToPage(i)
    const { width, height, margins } = pdf.page
    // Text below the bottom margin would start a new page.
    const { bottom } = margins
    margins.bottom = 0
    pdf
      .font("regular")
      .fontSize(8.5)
      .fillColor(MUTED)
      .text(`${i + 1} / ${count}`, MARGIN, height - FOOTER_HEIGHT - 8, { width: width - 2 * MARGIN, align: "center" })
    margins.bottom = bottom
  }
}

/** Adds the topics to the outline that PDF viewers show beside the pages. */
const createOutliner = (pdf: Pdf) => {
  let topic = pdf.outline
  return ({ node, depth }: Section): void => {
    const parent = depth === 1 ? pdf.outline : topic
    const item = parent.addItem(oneLine(node.title) || "Untitled")
    if (depth === 1) topic = item
  }
}

/**
 * Writes a PDF document: title, summary, topics as headings and outline, and the transcript with speakers and times.
 * @throws AppError `invalid` if the fonts lack the characters of the clip
 */
export const toPdf = async (clip: ExportableClip, fonts: PdfFonts): Promise<Uint8Array> => {
  requireCharacters(fonts.regular, clip)
  const { summary, opening, sections } = listSections(clip)
  const pdf = new PDFDocument({
    size: "A4",
    margins: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
    bufferPages: true,
    // No standard font, whose metrics would have to be read from a file.
    font: "",
    info: { Title: oneLine(clip.title), Creator: "Earmark" },
  })
  const chunks: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    pdf.on("end", resolve)
    pdf.on("error", reject)
  })
  pdf.registerFont("regular", fonts.regular)
  pdf.registerFont("bold", fonts.bold)
  pdf.font("bold").fontSize(22).fillColor(INK).text(oneLine(clip.title))
  pdf.moveDown(0.5)
  if (summary) pdf.font("regular").fontSize(10.5).fillColor(INK).text(oneLine(summary), { lineGap: 2 })
  pdf.moveDown(0.8)
  for (const section of listAdditions(clip)) writeAddition(pdf, section)
  for (const turn of opening) writeTurn(pdf, turn)
  const addToOutline = createOutliner(pdf)
  for (const section of sections) {
    writeSection(pdf, section)
    addToOutline(section)
  }
  writePageNumbers(pdf)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}
