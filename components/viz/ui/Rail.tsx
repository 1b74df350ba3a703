"use client"
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react"
import { Icon } from "../../ui/Icon.tsx"
import { COLOURINGS, type Colouring, type MapModel } from "../model.ts"
import { type Row, rowsOf } from "../rows.ts"
import { colourBy, NONE, select, toggleChosen, toggleSolo, useMap } from "../store.ts"
import { RailRow } from "./RailRow.tsx"
import { useWindow } from "./use-window.ts"

const NAMES: Readonly<Record<Colouring, string>> = {
  cluster: "Subject",
  clip: "Recording",
  speaker: "Speaker",
  level: "Level",
  time: "Time in the recording",
  duration: "Length",
}

/** What the colours mean and how the list is grouped. */
export const ColourChoice = () => (
  <label className="relative inline-flex shrink-0 items-center rounded-full border border-line bg-raised text-xs font-[560] has-focus-visible:outline-2 has-focus-visible:outline-accent">
    <span className="sr-only">Colour and group by</span>
    <select
      value={useMap((s) => s.colouring)}
      onChange={(event) => colourBy(event.target.value as Colouring)}
      className="h-7 cursor-pointer appearance-none rounded-full bg-transparent pr-7 pl-3 text-ink outline-none [&>option]:bg-raised"
    >
      {COLOURINGS.map((colouring) => (
        <option key={colouring} value={colouring}>
          {NAMES[colouring]}
        </option>
      ))}
    </select>
    <Icon name="down" size={14} className="pointer-events-none absolute right-2 text-muted" />
  </label>
)

/** Height of a row in CSS pixels: by subject each has a second line, which says whose topic it is. */
const rowHeight = (colouring: Colouring): number => (colouring === "clip" ? 36 : 48)

const rowOf = (rows: readonly Row[], index: number) =>
  rows.findIndex((row) => row.kind === "topic" && row.index === index)

/** The map as a list, equal to the scene for those who cannot see or point: a tree of groups and topics by keyboard. */
export const Rail = ({ model }: { model: MapModel }) => {
  const colouring = useMap((s) => s.colouring)
  const selected = useMap((s) => s.selected)
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const [active, setActive] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const rowPx = rowHeight(colouring)
  const rows = useMemo(() => rowsOf(model, colouring, closed), [model, colouring, closed])
  const { from, to, reveal } = useWindow(box, rows.length, rowPx)

  // biome-ignore lint/correctness/useExhaustiveDependencies: group ids mean something else in another colouring
  useEffect(() => setClosed(new Set()), [colouring, model])
  useEffect(() => {
    const at = selected === NONE ? -1 : rowOf(rows, selected)
    if (at < 0) return
    setActive(at)
    reveal(at)
  }, [selected, rows, reveal])

  const fold = (row: Row, open: boolean) =>
    setClosed((all) => {
      const next = new Set(all)
      if (open) next.delete(row.group.id)
      else next.add(row.group.id)
      return next
    })
  const move = (to: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, to))
    setActive(at)
    reveal(at)
  }
  const act = (row: Row) => (row.kind === "topic" ? select(row.index) : toggleSolo(row.group.id))
  const page = Math.max(1, to - from - 4)
  const onKey = (event: KeyboardEvent) => {
    const row = rows[active]
    if (!row) return
    const keys: Record<string, () => unknown> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + page),
      PageUp: () => move(active - page),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => (row.kind === "group" && !row.open ? fold(row, true) : move(active + 1)),
      ArrowLeft: () => (row.kind === "group" ? fold(row, false) : row.alone || move(active - row.position)),
      Enter: () => act(row),
      " ": () => act(row),
      x: () => row.kind === "topic" && toggleChosen(row.index),
    }
    const run = keys[event.key]
    if (!run || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    run()
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center justify-between px-4 pb-2">
        <h2 className="text-sm font-[600]">Topics</h2>
        <ColourChoice />
      </div>
      <div
        ref={box}
        role="tree"
        tabIndex={0}
        aria-label="Topics on the map"
        aria-activedescendant={rows[active] ? `rail-${active}` : undefined}
        onKeyDown={onKey}
        className="group/rail min-h-0 flex-1 overflow-y-auto border-t border-line outline-offset-[-2px]"
      >
        <div role="presentation" className="relative" style={{ height: rows.length * rowPx }}>
          {rows.slice(from, to).map((row, i) => (
            <RailRow
              key={row.kind === "group" ? `g${row.group.id}` : row.index}
              id={`rail-${from + i}`}
              top={(from + i) * rowPx}
              height={rowPx}
              row={row}
              model={model}
              active={from + i === active}
              onAct={() => {
                setActive(from + i)
                act(row)
              }}
              onFold={() => fold(row, row.kind === "group" && !row.open)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
