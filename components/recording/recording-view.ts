import { create } from "zustand"

/** What the page of a recording shows beside the topics. On a narrow page, the topics are a view of their own. */
export const RECORDING_VIEWS = ["transcript", "topics", "summaries", "notes"] as const
export type RecordingView = (typeof RECORDING_VIEWS)[number]

type ViewState = {
  readonly view: RecordingView
  /** The note that the list of notes scrolls to. */
  readonly noteId: string | null
}

export const useRecordingView = create<ViewState>(() => ({ view: "transcript", noteId: null }))

export const showView = (view: RecordingView): void => useRecordingView.setState({ view, noteId: null })

/** Shows a note in the list of notes. */
export const showNote = (noteId: string): void => useRecordingView.setState({ view: "notes", noteId })
