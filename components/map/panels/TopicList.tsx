"use client"
import { useEffect, useMemo, useRef, useState } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { usePhone } from "../../ui/use-media.ts"
import type { Coloring } from "../state/coloring.ts"
import {
  computeRowOffsets,
  findFolderKeys,
  getListTree,
  type ListTree,
  listFolderKeys,
  listVisibleRows,
  type Row,
} from "../state/list-rows.ts"
import type { MapModel } from "../state/model.ts"
import { NONE, select, showClip, toggleSolo, useMap } from "../state/store.ts"
import { ColoringMenu } from "./ColoringMenu.tsx"
import { TopicListRow } from "./TopicListRow.tsx"
import { useTopicListKeys } from "./use-topic-list-keys.ts"
import { useVisibleRows } from "./use-visible-rows.ts"

/** Rows that stay visible when Page Up or Page Down scrolls the list, including the overscan. */
const PAGE_OVERLAP_ROWS = 14

/** Regions start collapsed, because their names are the legend of the map. */
const listInitiallyClosed = (tree: ListTree, coloring: Coloring): ReadonlySet<string> =>
  new Set(coloring === "region" ? tree.map(({ key }) => key) : [])

/** The topics of the map as a tree of groups, recordings and topics. It offers everything that the scene does. */
export const TopicList = ({ model }: { model: MapModel }) => {
  const coloring = useMap((s) => s.coloring)
  const selected = useMap((s) => s.selected)
  const tree = useMemo(() => getListTree(model, coloring), [model, coloring])
  const [closed, setClosed] = useState(() => listInitiallyClosed(tree, coloring))
  const [listedColoring, setListedColoring] = useState(coloring)
  if (listedColoring !== coloring) {
    setListedColoring(coloring)
    setClosed(listInitiallyClosed(tree, coloring))
  }
  const [active, setActive] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const input = usePhone() ? "touch" : "pointer"
  const rows = useMemo(() => listVisibleRows(tree, closed), [tree, closed])
  const offsets = useMemo(() => computeRowOffsets(rows, coloring, input), [rows, coloring, input])
  const { from, to, reveal } = useVisibleRows(box, offsets)

  // A newly opened topic is unfolded and scrolled into view once. Later changes of the folds do not scroll the list.
  const pendingReveal = useRef(NONE)
  useEffect(() => {
    pendingReveal.current = selected
    if (selected === NONE) return
    const parents = findFolderKeys(tree, selected)
    setClosed((all) =>
      parents.some((key) => all.has(key)) ? new Set([...all].filter((k) => !parents.includes(k))) : all,
    )
  }, [selected, tree])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new selection must run this even if the rows are the same
  useEffect(() => {
    const index = pendingReveal.current
    const row = index === NONE ? -1 : rows.findIndex((r) => r.kind === "topic" && r.index === index)
    if (row < 0) return
    pendingReveal.current = NONE
    setActive(row)
    reveal(row)
  }, [selected, rows, reveal])

  const setOpen = (folders: readonly Row[], open: boolean) =>
    setClosed((all) => {
      const next = new Set(all)
      for (const { key } of folders) open ? next.delete(key) : next.add(key)
      return next
    })
  /** Opens a topic, or toggles whether a recording or group is the only highlighted one. */
  const activate = (row: Row) => {
    if (row.kind === "topic") select(row.index)
    else if (row.kind === "clip") showClip(useMap.getState().clip === row.clip ? NONE : row.clip)
    else {
      toggleSolo(row.group.id)
      if (coloring === "region") setOpen([row], useMap.getState().soloGroup === row.group.id)
    }
  }
  const moveTo = (row: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, row))
    setActive(target)
    reveal(target)
  }
  const pageRows = Math.max(1, to - from - PAGE_OVERLAP_ROWS)
  const onKeyDown = useTopicListKeys({ rows, active, pageRows, moveTo, setOpen, activate })
  const hasOpenFolder = rows.some((row) => row.kind !== "topic" && row.open)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-1 pr-3 pb-2 pl-4">
        <h2 className="flex-1 text-sm font-[600]">Topics</h2>
        {rows.some((row) => row.kind !== "topic") && (
          <IconButton
            name={hasOpenFolder ? "fold" : "unfold"}
            label={hasOpenFolder ? "Collapse all" : "Expand all"}
            onClick={() => {
              setActive(0)
              setClosed(new Set(hasOpenFolder ? listFolderKeys(tree) : []))
            }}
            className="size-8"
          />
        )}
        <ColoringMenu />
      </div>
      <div
        ref={box}
        role="tree"
        tabIndex={0}
        aria-label="Topics on the map"
        aria-activedescendant={active >= from && active < to ? `topic-row-${active}` : undefined}
        onKeyDown={onKeyDown}
        className="group/list min-h-0 flex-1 overflow-y-auto border-t border-line outline-offset-[-2px]"
      >
        <div role="presentation" className="relative" style={{ height: offsets[rows.length] }}>
          {rows.slice(from, to).map((row, i) => (
            <TopicListRow
              key={row.key}
              id={`topic-row-${from + i}`}
              top={offsets[from + i]!}
              height={offsets[from + i + 1]! - offsets[from + i]!}
              row={row}
              model={model}
              isActive={from + i === active}
              onActivate={() => {
                setActive(from + i)
                activate(row)
              }}
              onToggle={() => {
                setActive(from + i)
                if (row.kind !== "topic") setOpen([row], !row.open)
              }}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
