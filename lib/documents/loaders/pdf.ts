import { AppError } from "../../domain/errors.ts"
import { createDocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"

const MAX_PAGES = 5000

type TextItem = { readonly str?: string; readonly hasEOL?: boolean }

/** Joins text items, and words that were hyphenated at a line end. */
const joinItems = (items: readonly TextItem[]): string =>
  items
    .map(({ str = "", hasEOL }) => (hasEOL ? `${str}\n` : str))
    .join("")
    .replace(/(\p{Ll})-\n(\p{Ll})/gu, "$1$2")

/** Loads a PDF as one section per page. Ignores scripts, links and attachments. */
export const loadPdf: Loader = async (bytes) => {
  const { getDocumentProxy } = await import("unpdf")
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, disableFontFace: true })
  if (pdf.numPages > MAX_PAGES) throw new AppError("invalid", `it has more than ${MAX_PAGES} pages`)
  const document = createDocumentBuilder()
  for (let page = 1; page <= pdf.numPages; page++) {
    const content = await (await pdf.getPage(page)).getTextContent()
    document.add({ text: joinItems(content.items as readonly TextItem[]).trim(), page })
  }
  if (document.build().sections.length === 0)
    throw new AppError("invalid", "it contains no text. Run text recognition (OCR) on scans first.")
  const { info } = await pdf.getMetadata()
  document.setTitle(String((info as { Title?: unknown }).Title ?? ""))
  return document.build()
}
