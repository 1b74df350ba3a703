"use client"
import type { KeyboardEvent } from "react"
import type { Row } from "../state/list-rows.ts"
import { toggleCollected } from "../state/store.ts"

type TopicListKeys = {
  rows: readonly Row[]
  active: number
  /** Rows that Page Up and Page Down move. */
  pageRows: number
  moveTo: (row: number) => void
  setOpen: (folders: readonly Row[], open: boolean) => void
  activate: (row: Row) => void
}

/** Returns the row that contains this one, or the row itself at the top level. */
export const findParentRow = (rows: readonly Row[], index: number): number => {
  let up = index
  while (up > 0 && rows[up]!.level >= rows[index]!.level) up--
  return rows[up]!.level < rows[index]!.level ? up : index
}

/** Handles the keys of a tree view (WAI-ARIA), and `x`, which collects a topic or all topics of a folder. */
export const useTopicListKeys = ({ rows, active, pageRows, moveTo, setOpen, activate }: TopicListKeys) => {
  const actionsFor = (row: Row): Record<string, () => unknown> => ({
    ArrowDown: () => moveTo(active + 1),
    ArrowUp: () => moveTo(active - 1),
    PageDown: () => moveTo(active + pageRows),
    PageUp: () => moveTo(active - pageRows),
    Home: () => moveTo(0),
    End: () => moveTo(rows.length - 1),
    ArrowRight: () => row.kind !== "topic" && (row.open ? moveTo(active + 1) : setOpen([row], true)),
    ArrowLeft: () => (row.kind !== "topic" && row.open ? setOpen([row], false) : moveTo(findParentRow(rows, active))),
    // Opens the folder and its siblings.
    "*": () => {
      const folder = row.kind === "topic" ? rows[findParentRow(rows, active)]! : row
      const siblings = rows.filter(
        (other) => other.kind === folder.kind && (folder.kind === "group" || other.group === folder.group),
      )
      setOpen(siblings, true)
    },
    Enter: () => activate(row),
    " ": () => activate(row),
    x: () => toggleCollected(...(row.kind === "topic" ? [row.index] : row.topics)),
  })
  return (event: KeyboardEvent) => {
    const row = rows[active]
    // Caps Lock makes letters uppercase.
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const action = row && actionsFor(row)[key]
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action()
  }
}
