"use client"
import { useEffect, useRef, useState } from "react"
import type { OutlineEntry } from "#lib/domain/document-content.ts"
import { partitionPoint } from "#lib/domain/partition-point.ts"
import { cx } from "../../ui/cx.ts"
import { Icon } from "../../ui/Icon.tsx"

/** The distance from the top of the window at which the text that is read is taken to be. */
const READING_LINE_PX = 160

/** Returns the position in the outline of the heading above what is read, or -1. */
const useCurrentHeading = (outline: readonly OutlineEntry[]): number => {
  const [current, setCurrent] = useState(-1)
  useEffect(() => {
    let frame = 0
    const measure = () => {
      frame = 0
      const article = document.querySelector("[data-document-text]")?.getBoundingClientRect()
      if (!article) return
      const block = document
        .elementFromPoint(article.left + Math.min(120, article.width / 2), READING_LINE_PX)
        ?.closest("[data-block]")
        ?.getAttribute("data-block")
      if (!block) return
      const [portion, index] = block.split("-").map(Number) as [number, number]
      setCurrent(
        partitionPoint(outline.length, (i) => {
          const entry = outline[i]!
          return entry.portion < portion || (entry.portion === portion && entry.block <= index)
        }) - 1,
      )
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    window.addEventListener("scroll", onScroll, { passive: true })
    return () => {
      window.removeEventListener("scroll", onScroll)
      cancelAnimationFrame(frame)
    }
  }, [outline])
  return current
}

type OutlineProps = { outline: readonly OutlineEntry[]; onOpen: (entry: OutlineEntry) => void }

/** Rows have one height, so that only those in view are rendered. A document may have 2 000 headings. */
const ROW_PX = 32
const ROWS_AROUND = 8

/** The headings of a document. The one that is read is kept in view. */
export const Outline = ({ outline, onOpen }: OutlineProps) => {
  const list = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, count: 40 })
  const current = useCurrentHeading(outline)
  const top = Math.min(...outline.map(({ level }) => level))
  const measure = () => {
    if (!list.current) return
    const first = Math.max(0, Math.floor(list.current.scrollTop / ROW_PX) - ROWS_AROUND)
    setView({ first, count: Math.ceil(list.current.clientHeight / ROW_PX) + 2 * ROWS_AROUND })
  }
  useEffect(() => {
    const box = list.current
    if (!box || current < 0 || box.matches(":hover, :focus-within")) return
    const at = current * ROW_PX
    if (at < box.scrollTop || at + ROW_PX > box.scrollTop + box.clientHeight) box.scrollTop = at - box.clientHeight / 3
  }, [current])
  return (
    <div
      ref={list}
      data-own-scroll=""
      onScroll={measure}
      className="max-h-[calc(100dvh-2rem-var(--bottom-bars))] overflow-y-auto py-1 max-lg:max-h-[50vh]"
    >
      <ul className="relative" style={{ height: outline.length * ROW_PX }}>
        {outline.slice(view.first, view.first + view.count).map((entry, n) => (
          <li
            key={`${entry.portion}-${entry.block}`}
            className="absolute inset-x-0"
            style={{ top: (view.first + n) * ROW_PX, height: ROW_PX }}
          >
            <button
              type="button"
              title={entry.text}
              aria-current={view.first + n === current ? "true" : undefined}
              onClick={() => onOpen(entry)}
              style={{ paddingLeft: `${0.75 + Math.min(entry.level - top, 4) * 0.875}rem` }}
              className={cx(
                "h-full w-full truncate rounded-md pr-2 text-left text-sm outline-offset-[-2px] transition hover:bg-accent-wash aria-[current]:bg-accent-wash aria-[current]:text-ink",
                entry.level === top ? "font-[560]" : "text-soft",
              )}
            >
              <bdi>{entry.text}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The outline where the window is too narrow to have it beside the text. Opening a heading closes it. */
export const FoldedOutline = ({ outline, onOpen }: OutlineProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mb-3 rounded-lg border border-line bg-surface lg:hidden"
    >
      <summary className="flex min-h-11 items-center gap-2 px-4 text-sm font-[560]">
        <Icon name={isOpen ? "down" : "right"} size={15} className="text-muted" />
        Contents
      </summary>
      {isOpen && (
        <div className="px-1 pb-2">
          <Outline
            outline={outline}
            onOpen={(entry) => {
              setOpen(false)
              onOpen(entry)
            }}
          />
        </div>
      )}
    </details>
  )
}
