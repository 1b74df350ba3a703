"use client"
import { useEffect, useMemo, useRef, useState } from "react"
import type { DocumentContent, OutlineEntry } from "#lib/domain/document-content.ts"
import { client } from "../../api/client.ts"
import { formatCount } from "../../ui/format.ts"
import type { Match } from "../reader/use-find.ts"
import { type OpenPdf, openPdf, readBookmarks } from "./open-pdf.ts"
import { PdfPage } from "./PdfPage.tsx"

/** Width divided by height of A4, until a page is known. */
const A4 = 210 / 297
const NO_MATCHES: readonly Match[] = []

type PdfPagesProps = {
  id: string
  content: DocumentContent
  passage: number | null
  matches: ReadonlyMap<number, readonly Match[]>
  now: Match | null
  /** The page that is scrolled to, counted from 0. */
  wanted: number | null
  onOutline: (outline: readonly OutlineEntry[]) => void
  onShown: () => void
  onFail: () => void
}

/** Returns the width of an element in pixels; 0 until it is known. */
const useWidth = (element: { readonly current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry!.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** The pages of a PDF as they look, with the highlights of its text. */
export const PdfPages = (props: PdfPagesProps) => {
  const { id, content, passage, matches, now, wanted, onOutline, onShown, onFail } = props
  const list = useRef<HTMLDivElement>(null)
  const width = useWidth(list)
  const [open, setOpen] = useState<OpenPdf | null>(null)
  const [ratio, setRatio] = useState(A4)
  useEffect(() => {
    let isClosed = false
    let opened: OpenPdf | undefined
    const load = async () => {
      opened = await openPdf(client.documentFileUrl(id))
      if (isClosed) return opened.close()
      const first = (await opened.pdf.getPage(1)).getViewport({ scale: 1 })
      setRatio(first.width / first.height)
      setOpen(opened)
      onOutline(await readBookmarks(opened.pdf))
    }
    load().catch(() => {
      if (!isClosed) onFail()
    })
    return () => {
      isClosed = true
      opened?.close()
      setOpen(null)
    }
  }, [id, onOutline, onFail])
  const portionOfPage = useMemo(() => {
    const found = new Map<number, number>()
    content.portions.forEach(({ page }, portion) => {
      if (page !== undefined && !found.has(page - 1)) found.set(page - 1, portion)
    })
    return found
  }, [content])
  const pages = open?.pdf.numPages ?? 0
  return (
    <div ref={list} className="grid grid-cols-1 gap-4">
      <p role="status" className="sr-only">
        {open ? formatCount(pages, "page") : "Loading the pages"}
      </p>
      {!open && (
        <div
          aria-hidden="true"
          style={{ aspectRatio: A4 }}
          className="animate-pulse rounded-md border border-line bg-white"
        />
      )}
      {open &&
        Array.from({ length: pages }, (_, page) => {
          const portion = portionOfPage.get(page)
          return (
            <PdfPage
              // biome-ignore lint/suspicious/noArrayIndexKey: the pages of a document never move
              key={page}
              {...{ id, open, page, portion, width, ratio, passage, onShown }}
              isWanted={wanted === page}
              matches={(portion !== undefined && matches.get(portion)) || NO_MATCHES}
              now={now !== null && now.portion === portion ? now : null}
            />
          )
        })}
    </div>
  )
}
