"use client"
import type { KeyboardEvent } from "react"
import type { Row } from "../state/rows.ts"
import { toggleChosen } from "../state/store.ts"

type RailKeys = {
  rows: readonly Row[]
  active: number
  /** Rows that a page key goes over. */
  page: number
  move: (to: number) => void
  fold: (folders: readonly Row[], open: boolean) => void
  act: (row: Row) => void
}

/** The row that holds this one; the row itself where none does. */
export const parentOf = (rows: readonly Row[], at: number): number => {
  let up = at
  while (up > 0 && rows[up]!.level >= rows[at]!.level) up--
  return rows[up]!.level < rows[at]!.level ? up : at
}

/** What a tree does by keyboard (WAI-ARIA, tree view pattern); `x` gathers a topic, or all that a folder holds. */
export const useRailKeys = ({ rows, active, page, move, fold, act }: RailKeys) => {
  const keysOf = (row: Row): Record<string, () => unknown> => ({
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    PageDown: () => move(active + page),
    PageUp: () => move(active - page),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    ArrowRight: () => row.kind !== "topic" && (row.open ? move(active + 1) : fold([row], true)),
    ArrowLeft: () => (row.kind !== "topic" && row.open ? fold([row], false) : move(parentOf(rows, active))),
    // All folders beside this one.
    "*": () => {
      const own = row.kind === "topic" ? rows[parentOf(rows, active)]! : row
      fold(
        rows.filter((other) => other.kind === own.kind && (own.kind === "group" || other.group === own.group)),
        true,
      )
    },
    Enter: () => act(row),
    " ": () => act(row),
    x: () => toggleChosen(...(row.kind === "topic" ? [row.index] : row.topics)),
  })
  return (event: KeyboardEvent) => {
    const row = rows[active]
    // With Caps Lock a letter comes as a capital.
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const run = row && keysOf(row)[key]
    if (!run || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    run()
  }
}
