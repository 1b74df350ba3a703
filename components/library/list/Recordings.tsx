"use client"
import { type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react"
import { ClipCard } from "./ClipCard.tsx"
import { COLUMNS, type RowActions, TableRow, TimelineRow } from "./ClipRows.tsx"
import type { ClipRow, Sort } from "./library-params.ts"
import { groupRows, type LibraryItem, type LocalClock } from "./row-groups.ts"
import type { Layout } from "./Toolbar.tsx"
import { VirtualRows, type VirtualRowsHandle } from "./VirtualRows.tsx"

const ROW_PX = 56
const HEADING_PX = 40

type RecordingsProps = {
  clips: readonly ClipRow[]
  layout: Layout
  sort: Sort
  /** The time at which the server rendered the page. */
  initialNow: number
  onEnd: () => void
  handle: Ref<VirtualRowsHandle>
  actions: RowActions
}

/** Returns the clock of the page. The first render uses UTC, because the server does not know the time zone. */
const useLocalClock = (initialNow: number): LocalClock => {
  const [clock, setClock] = useState<LocalClock>({ now: initialNow, offsetMinutes: 0 })
  useEffect(() => setClock({ now: Date.now(), offsetMinutes: new Date().getTimezoneOffset() }), [])
  return clock
}

const HEAD = "py-2 text-left text-xs font-[560] text-muted"

/** The names of the columns. They are hidden from screen readers, because each row is an item of a list. */
const TableHead = () => (
  <div aria-hidden="true" className={`${COLUMNS} border-b border-line max-sm:hidden`}>
    <span />
    <span className={HEAD}>Title</span>
    <span className={`${HEAD} max-md:hidden`}>Topics</span>
    <span className={`${HEAD} max-lg:hidden`}>Speakers</span>
    <span className={`${HEAD} pr-3 text-right`}>Length</span>
    <span className={`${HEAD} max-sm:hidden`}>Added</span>
  </div>
)

const Heading = ({ text }: { text: string }) => (
  <div className="flex h-10 items-end pb-1.5">
    <h3 className="text-sm font-[600] text-soft">{text}</h3>
  </div>
)

const Rows = ({ clips, layout, sort, initialNow, onEnd, handle, actions }: RecordingsProps) => {
  const clock = useLocalClock(initialNow)
  const items = useMemo(() => groupRows(clips, sort, clock), [clips, sort, clock])
  const longest_s = useMemo(() => Math.max(1, ...clips.map((clip) => clip.duration_s)), [clips])
  const list = useRef<VirtualRowsHandle>(null)
  useImperativeHandle(handle, () => ({
    scrollTo: (index) =>
      list.current?.scrollTo(items.findIndex((item) => item.kind === "clip" && item.index === index)),
  }))
  const sizeOf = useCallback((i: number) => (items[i]?.kind === "heading" ? HEADING_PX : ROW_PX), [items])
  const keyOf = useCallback((i: number) => items[i]?.key ?? String(i), [items])
  const render = (item: LibraryItem | undefined) => {
    if (!item) return null
    if (item.kind === "heading") return <Heading text={item.text} />
    if (layout === "timeline") return <TimelineRow clip={item.clip} longest_s={longest_s} {...actions} />
    return <TableRow clip={item.clip} {...actions} />
  }
  return (
    <div>
      {layout === "table" && <TableHead />}
      <VirtualRows
        label="Recordings"
        count={items.length}
        {...{ sizeOf, keyOf, onEnd }}
        handle={list}
        render={(i) => render(items[i])}
      />
    </div>
  )
}

const Cards = ({ clips, onEnd, handle, actions }: RecordingsProps) => {
  const end = useRef<HTMLLIElement>(null)
  useImperativeHandle(handle, () => ({
    scrollTo: (index) =>
      document
        .querySelector(`[data-clip="${CSS.escape(clips[index]?.id ?? "")}"]`)
        ?.scrollIntoView({ block: "nearest" }),
  }))
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onEnd(), { rootMargin: "800px" })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [onEnd])
  return (
    <ul aria-label="Recordings" className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {clips.map((clip) => (
        <li key={clip.id} className="[contain-intrinsic-size:auto_13rem] [content-visibility:auto]">
          <ClipCard clip={clip} {...actions} />
        </li>
      ))}
      <li ref={end} key="end" aria-hidden="true" className="h-px" />
    </ul>
  )
}

/** The list of recordings. Tables and timelines render only what is visible. */
export const Recordings = (props: RecordingsProps) =>
  props.layout === "cards" ? <Cards {...props} /> : <Rows {...props} />
