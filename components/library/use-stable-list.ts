"use client"
import { useRef } from "react"
import { create } from "zustand"

/** The pointer counts as idle this long after its last move. */
const POINTER_IDLE_MS = 1500

const usePointerActivity = create<{ readonly busy: boolean }>(() => ({ busy: false }))
let idleTimer: ReturnType<typeof setTimeout> | undefined

/** Call on every pointer event inside a list that must not move under the pointer. */
export const reportPointerActivity = (): void => {
  if (!usePointerActivity.getState().busy) usePointerActivity.setState({ busy: true })
  clearTimeout(idleTimer)
  idleTimer = setTimeout(() => usePointerActivity.setState({ busy: false }), POINTER_IDLE_MS)
}

/**
 * Returns the items, but holds back new ones while the pointer is moving, so that nothing shifts under it. The item
 * `ownId` appears immediately.
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
