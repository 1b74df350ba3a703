"use client"
import { useRef } from "react"
import { create } from "zustand"

/** So long after its last move a pointer counts as at rest. */
const POINTER_IDLE_MS = 1500

const usePointerActivity = create<{ readonly busy: boolean }>(() => ({ busy: false }))
let idleTimer: ReturnType<typeof setTimeout> | undefined

/** Somebody's pointer is on its way to something in the lists. */
export const reportPointerActivity = (): void => {
  if (!usePointerActivity.getState().busy) usePointerActivity.setState({ busy: true })
  clearTimeout(idleTimer)
  idleTimer = setTimeout(() => usePointerActivity.setState({ busy: false }), POINTER_IDLE_MS)
}

/**
 * The items of a list that others add to: what came anew waits until the pointer rests, so that nothing moves away from
 * under it. `own` comes at once.
 */
export const useStableList = <T>(
  items: readonly T[] | undefined,
  idOf: (item: T) => string,
  ownId?: string | null,
): readonly T[] => {
  const known = useRef<ReadonlySet<string> | null>(null)
  const list = items ?? []
  const isKnown = (item: T): boolean => !known.current || known.current.has(idOf(item)) || idOf(item) === ownId
  const fresh = !list.every(isKnown)
  const held = usePointerActivity((s) => fresh && s.busy)
  if (held) return list.filter(isKnown)
  if (items) known.current = new Set(items.map(idOf))
  return list
}
