"use client"
import { useCallback, useMemo, useRef, useState } from "react"
import type { ClipRow } from "./library-params.ts"

export type Selection = {
  readonly ids: ReadonlySet<string>
  /** Selects or deselects a recording; with `isRange` also those between it and the one before. */
  readonly toggle: (id: string, isRange?: boolean) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

/** The selected recordings of a list. Recordings that are no longer listed are not selected any more. */
export const useSelection = (clips: readonly ClipRow[]): Selection => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string | null>(null)
  const ids = useMemo(() => {
    const listed = new Set(clips.map(({ id }) => id))
    return new Set([...selected].filter((id) => listed.has(id)))
  }, [clips, selected])
  const toggle = useCallback(
    (id: string, isRange = false) => {
      const order = clips.map((clip) => clip.id)
      const from = isRange && anchor.current !== null ? order.indexOf(anchor.current) : -1
      const to = order.indexOf(id)
      anchor.current = id
      setSelected((before) => {
        const next = new Set(before)
        if (from >= 0) for (const other of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(other)
        else if (!next.delete(id)) next.add(id)
        return next
      })
    },
    [clips],
  )
  const selectAll = useCallback(() => setSelected(new Set(clips.map(({ id }) => id))), [clips])
  const clear = useCallback(() => setSelected(new Set()), [])
  return { ids, toggle, selectAll, clear }
}
