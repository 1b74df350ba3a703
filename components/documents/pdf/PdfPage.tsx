"use client"
import { memo, useEffect, useLayoutEffect, useRef, useState } from "react"
import { cx } from "../../ui/cx.ts"
import { toMarks } from "../reader/chunk-marks.ts"
import { usePortion } from "../reader/reader-data.ts"
import type { Match } from "../reader/use-find.ts"
import { useIsNear } from "../reader/use-is-near.ts"
import type { OpenPdf } from "./open-pdf.ts"
import { type PlacedMark, placeMarks } from "./place-marks.ts"

/** A canvas of more pixels is drawn at a lower resolution. */
const MAX_CANVAS_PIXELS = 8_000_000

/** The text that lies over a drawn page: its pieces, and the elements that contain them. */
type TextLayer = { readonly items: readonly string[]; readonly elements: readonly HTMLElement[] }

const showMarks = ({ items, elements }: TextLayer, marks: readonly PlacedMark[]): void => {
  elements.forEach((element, i) => {
    const own = marks.filter(({ item }) => item === i).toSorted((a, b) => a.from - b.from)
    if (own.length === 0 && element.childElementCount === 0) return
    const text = items[i]!
    const nodes: (string | HTMLElement)[] = []
    let at = 0
    for (const { from, to, kind } of own) {
      const start = Math.max(at, from)
      if (start >= to) continue
      const mark = document.createElement("mark")
      mark.dataset[kind] = ""
      mark.textContent = text.slice(start, to)
      nodes.push(text.slice(at, start), mark)
      at = to
    }
    element.replaceChildren(...nodes, text.slice(at))
  })
}

type DrawOptions = { open: OpenPdf; page: number; width: number; canvas: HTMLCanvasElement; layer: HTMLElement }

/** Draws a page and lays its text over it. Returns null if it was aborted. */
const drawPage = async ({ open: { pdf, lib }, page, width, canvas, layer }: DrawOptions, signal: AbortSignal) => {
  const proxy = await pdf.getPage(page)
  if (signal.aborted) return null
  const unscaled = proxy.getViewport({ scale: 1 })
  const scale = width / unscaled.width
  const viewport = proxy.getViewport({ scale })
  const density = Math.min(
    window.devicePixelRatio || 1,
    2,
    Math.sqrt(MAX_CANVAS_PIXELS / (viewport.width * viewport.height)),
  )
  canvas.width = Math.floor(viewport.width * density)
  canvas.height = Math.floor(viewport.height * density)
  const task = proxy.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] })
  signal.addEventListener("abort", () => task.cancel())
  await task.promise
  layer.replaceChildren()
  layer.style.setProperty("--total-scale-factor", String(scale))
  const text = new lib.TextLayer({ textContentSource: await proxy.getTextContent(), container: layer, viewport })
  signal.addEventListener("abort", () => text.cancel())
  await text.render()
  if (signal.aborted) return null
  return { items: text.textContentItemsStr, elements: text.textDivs, ratio: unscaled.width / unscaled.height }
}

type PdfPageProps = {
  id: string
  open: OpenPdf
  /** Counted from 0. */
  page: number
  /** The portion with the text of the page. Undefined for a page without text. */
  portion: number | undefined
  width: number
  /** Width divided by height, until the page is loaded. */
  ratio: number
  isWanted: boolean
  passage: number | null
  matches: readonly Match[]
  now: Match | null
  onShown: () => void
}

/** A page of a PDF. It is drawn while it is in or near the window. */
export const PdfPage = memo((props: PdfPageProps) => {
  const { id, open, page, portion, width, isWanted, passage, matches, now, onShown } = props
  const section = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(section) || isWanted
  const [ratio, setRatio] = useState(props.ratio)
  const [text, setText] = useState<TextLayer | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const { data } = usePortion(id, portion ?? 0, isNear && portion !== undefined)
  useEffect(() => {
    if (!isNear || width === 0) return
    const abort = new AbortController()
    const [drawn, texts] = [canvas.current!, layer.current!]
    drawPage({ open, page: page + 1, width, canvas: drawn, layer: texts }, abort.signal).then(
      (shown) => {
        if (!shown) return
        setRatio(shown.ratio)
        setText(shown)
        setFailed(false)
      },
      () => {
        if (!abort.signal.aborted) setFailed(true)
      },
    )
    return () => {
      abort.abort()
      setText(null)
      // Pages that are far away take no memory.
      drawn.width = 0
      texts.replaceChildren()
    }
  }, [isNear, open, page, width])
  useLayoutEffect(() => {
    if (!text) return
    const marks = data ? toMarks(data, passage, matches, now) : []
    showMarks(text, data ? placeMarks(text.items, { blocks: data.blocks, marks }) : [])
    onShown()
  }, [text, data, passage, matches, now, onShown])
  return (
    <section
      ref={section}
      data-portion={page}
      data-block={`${page}-0`}
      aria-label={`Page ${page + 1}`}
      aria-busy={isNear && text === null && !hasFailed}
      style={{ aspectRatio: ratio }}
      className={cx(
        "relative w-full scroll-mt-20 overflow-hidden rounded-md border border-line bg-white",
        text === null && "animate-pulse",
      )}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      <div ref={layer} className="pdf-text" />
      {hasFailed && (
        <p className="absolute inset-0 grid place-content-center p-4 text-center text-base text-[#4e4940]">
          This page can't be drawn. Its text is under “Text”.
        </p>
      )}
    </section>
  )
})
