"use client"
import type { PDFDocumentProxy } from "unpdf/pdfjs"
import type { OutlineEntry } from "#lib/domain/document-content.ts"

type Pdf = typeof import("unpdf/pdfjs")
export type OpenPdf = { readonly pdf: PDFDocumentProxy; readonly lib: Pdf; close(): void }

/**
 * Opens a PDF with pdf.js, the same version that reads its text for the index. It is parsed in a worker, its scripts and forms
 * are left out, and nothing but the file is loaded.
 */
export const openPdf = async (url: string): Promise<OpenPdf> => {
  const lib = await import("unpdf/pdfjs")
  const thread = new Worker(new URL("./pdf.worker.ts", import.meta.url), { type: "module" })
  // The types of pdf.js declare the port as null.
  const worker = new lib.PDFWorker({ port: thread as never })
  const task = lib.getDocument({ url, worker, isEvalSupported: false, enableXfa: false, stopAtErrors: false })
  const close = () => {
    void task.destroy().finally(() => thread.terminate())
  }
  try {
    return { pdf: await task.promise, lib, close }
  } catch (error) {
    close()
    throw error
  }
}

const MAX_ENTRIES = 1000
const MAX_LEVEL = 6

type Bookmark = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>[number]

const findPage = async (pdf: PDFDocumentProxy, { dest }: Bookmark): Promise<number | null> => {
  const target = typeof dest === "string" ? await pdf.getDestination(dest) : dest
  const [page] = target ?? []
  if (typeof page === "number") return page
  return page ? pdf.getPageIndex(page as Parameters<PDFDocumentProxy["getPageIndex"]>[0]) : null
}

/** Reads the bookmarks of a PDF as an outline, in which a portion is a page. Those without a page are left out. */
export const readBookmarks = async (pdf: PDFDocumentProxy): Promise<OutlineEntry[]> => {
  const entries: OutlineEntry[] = []
  const read = async (bookmarks: readonly Bookmark[], level: number): Promise<void> => {
    for (const bookmark of bookmarks) {
      if (entries.length >= MAX_ENTRIES) return
      const portion = await findPage(pdf, bookmark).catch(() => null)
      const text = bookmark.title.trim()
      if (portion !== null && text) entries.push({ portion, block: entries.length, level, text: text.slice(0, 200) })
      await read(bookmark.items ?? [], Math.min(level + 1, MAX_LEVEL))
    }
  }
  await read((await pdf.getOutline()) ?? [], 1)
  return entries
}
