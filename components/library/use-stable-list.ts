"use client"
import { useRef } from "react"
import { create } from "zustand"

/** So long after its last move a pointer counts as at rest. */
const REST_MS = 1500

const usePointing = create<{ readonly busy: boolean }>(() => ({ busy: false }))
let resting: ReturnType<typeof setTimeout> | undefined

/** Somebody's pointer is on its way to something in the lists. */
export const pointing = (): void => {
  if (!usePointing.getState().busy) usePointing.setState({ busy: true })
  clearTimeout(resting)
  resting = setTimeout(() => usePointing.setState({ busy: false }), REST_MS)
}

/**
 * The items of a list that others add to: what came anew waits until the pointer rests, so that nothing moves away from
 * under it. `own` comes at once.
 */
export const useStableList = <T>(
  items: readonly T[] | undefined,
  idOf: (item: T) => string,
  own?: string | null,
): readonly T[] => {
  const known = useRef<ReadonlySet<string> | null>(null)
  const list = items ?? []
  const isKnown = (item: T): boolean => !known.current || known.current.has(idOf(item)) || idOf(item) === own
  const fresh = !list.every(isKnown)
  const held = usePointing((s) => fresh && s.busy)
  if (held) return list.filter(isKnown)
  if (items) known.current = new Set(items.map(idOf))
  return list
}
