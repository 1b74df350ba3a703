import { AppError } from "../../domain/errors.ts"
import type { Loader, Section } from "../types.ts"

const MAX_PAGES = 5000

type Item = { readonly str?: string; readonly hasEOL?: boolean }

/** Words that a line end parted are joined again. */
const textOf = (items: readonly Item[]): string =>
  items
    .map(({ str = "", hasEOL }) => (hasEOL ? `${str}\n` : str))
    .join("")
    .replace(/(\p{Ll})-\n(\p{Ll})/gu, "$1$2")

/** PDF, a section a page. Its scripts, links and attachments are not looked at; a scan has no text and so gives none. */
export const loadPdf: Loader = async (bytes) => {
  const { getDocumentProxy } = await import("unpdf")
  const document = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, disableFontFace: true })
  if (document.numPages > MAX_PAGES) throw new AppError("invalid", `it has more than ${MAX_PAGES} pages`)
  const sections: Section[] = []
  for (let page = 1; page <= document.numPages; page++) {
    const content = await (await document.getPage(page)).getTextContent()
    const text = textOf(content.items as readonly Item[]).trim()
    if (text) sections.push({ text, page })
  }
  if (sections.length === 0)
    throw new AppError("invalid", "it holds no text; a scan must be run through text recognition first")
  const { info } = await document.getMetadata()
  const title = String((info as { Title?: unknown }).Title ?? "").trim()
  return { ...(title ? { title } : {}), sections }
}
