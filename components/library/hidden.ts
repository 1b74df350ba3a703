import { create } from "zustand"

type HiddenState = { readonly ids: ReadonlySet<string> }

/** Recordings that were deleted a moment ago and may yet be taken back. */
const useHiddenState = create<HiddenState>(() => ({ ids: new Set() }))

export const hideRecording = (id: string): void => useHiddenState.setState(({ ids }) => ({ ids: new Set(ids).add(id) }))
export const showRecording = (id: string): void =>
  useHiddenState.setState(({ ids }) => ({ ids: new Set([...ids].filter((other) => other !== id)) }))

export const useHiddenRecordings = (): ReadonlySet<string> => useHiddenState((s) => s.ids)
