"use client"
import { useEffect, useMemo, useRef, useState } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { usePhone } from "../../ui/use-media.ts"
import type { MapModel } from "../state/model.ts"
import { foldersAbove, foldersOf, type Row, rowsOf, topsOf, treeOf } from "../state/rows.ts"
import { NONE, select, showClip, toggleSolo, useMap } from "../state/store.ts"
import { ColorMenu } from "./ColorMenu.tsx"
import { RailRow } from "./RailRow.tsx"
import { useRailKeys } from "./use-rail-keys.ts"
import { useWindow } from "./use-window.ts"

/** A topic is opened, a recording or a group is left alone lit, or is so no longer. */
const act = (row: Row) => {
  if (row.kind === "topic") select(row.index)
  else if (row.kind === "group") toggleSolo(row.group.id)
  else showClip(useMap.getState().clip === row.clip ? NONE : row.clip)
}

/** The map as a list, equal to the scene for those who cannot see or point: a tree of groups, recordings and topics. */
export const Rail = ({ model }: { model: MapModel }) => {
  const colouring = useMap((s) => s.colouring)
  const selected = useMap((s) => s.selected)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const by = usePhone() ? "finger" : "pointer"
  const tree = useMemo(() => treeOf(model, colouring), [model, colouring])
  const rows = useMemo(() => rowsOf(tree, closed), [tree, closed])
  const tops = useMemo(() => topsOf(rows, colouring, by), [rows, colouring, by])
  const { from, to, reveal } = useWindow(box, tops)

  // What is chosen on the map comes into sight in the list, out of what is folded; later folds leave the list where it is.
  const wanted = useRef(NONE)
  useEffect(() => {
    wanted.current = selected
    if (selected === NONE) return
    const above = foldersAbove(tree, selected)
    setClosed((all) => (above.some((key) => all.has(key)) ? new Set([...all].filter((k) => !above.includes(k))) : all))
  }, [selected, tree])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another selection is a reason to run, the rows being the same
  useEffect(() => {
    const at = wanted.current === NONE ? -1 : rows.findIndex((r) => r.kind === "topic" && r.index === wanted.current)
    if (at < 0) return
    wanted.current = NONE
    setActive(at)
    reveal(at)
  }, [selected, rows, reveal])

  const fold = (folders: readonly Row[], open: boolean) =>
    setClosed((all) => {
      const next = new Set(all)
      for (const { key } of folders) open ? next.delete(key) : next.add(key)
      return next
    })
  const move = (to: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, to))
    setActive(at)
    reveal(at)
  }
  const onKey = useRailKeys({ rows, active, page: Math.max(1, to - from - 14), move, fold, act })
  const anyOpen = rows.some((row) => row.kind !== "topic" && row.open)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-1 pr-3 pb-2 pl-4">
        <h2 className="flex-1 text-sm font-[600]">Topics</h2>
        {rows.some((row) => row.kind !== "topic") && (
          <IconButton
            name={anyOpen ? "fold" : "unfold"}
            label={anyOpen ? "Fold all" : "Unfold all"}
            onClick={() => {
              setActive(0)
              setClosed(new Set(anyOpen ? foldersOf(tree) : []))
            }}
            className="size-8"
          />
        )}
        <ColorMenu />
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
        <div role="presentation" className="relative" style={{ height: tops[rows.length] }}>
          {rows.slice(from, to).map((row, i) => (
            <RailRow
              key={row.key}
              id={`rail-${from + i}`}
              top={tops[from + i]!}
              height={tops[from + i + 1]! - tops[from + i]!}
              row={row}
              model={model}
              active={from + i === active}
              onAct={() => {
                setActive(from + i)
                act(row)
              }}
              onFold={() => {
                setActive(from + i)
                if (row.kind !== "topic") fold([row], !row.open)
              }}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
