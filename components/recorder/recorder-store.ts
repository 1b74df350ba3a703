import { create } from "zustand"

/** What the recorder is open for: to record, or to add what an earlier page has recorded. */
type Purpose = "record" | "add kept"

/** The recorder on all pages. Its code is loaded when it first opens. */
export const useRecorderState = create<{ readonly purpose: Purpose | null }>(() => ({ purpose: null }))

/** Opens the recorder, unless it is open. */
export const openRecorder = (purpose: Purpose = "record"): void =>
  useRecorderState.setState((state) => ({ purpose: state.purpose ?? purpose }))
export const closeRecorder = (): void => useRecorderState.setState({ purpose: null })

/** Set in this browser while it keeps a recording that is not in the library yet. */
const KEPT = "earmark.recording"

export const markKept = (isKept: boolean): void => {
  if (isKept) localStorage.setItem(KEPT, "1")
  else localStorage.removeItem(KEPT)
}

export const hasKept = (): boolean => localStorage.getItem(KEPT) !== null
