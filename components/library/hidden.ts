import { create } from "zustand"

type HiddenState = { readonly ids: ReadonlySet<string> }

/** Recordings that were deleted a moment ago and may yet be taken back. */
const useHiddenState = create<HiddenState>(() => ({ ids: new Set() }))

export const hide = (id: string): void => useHiddenState.setState(({ ids }) => ({ ids: new Set(ids).add(id) }))
export const show = (id: string): void =>
  useHiddenState.setState(({ ids }) => ({ ids: new Set([...ids].filter((other) => other !== id)) }))

export const useHidden = (): ReadonlySet<string> => useHiddenState((s) => s.ids)
