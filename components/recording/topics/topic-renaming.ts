import { create } from "zustand"

/** The number of the topic whose title is being edited in the outline, if any. */
export const useRenamedTopic = create<{ readonly number: string | null }>(() => ({ number: null }))

export const renameTopic = (number: string | null): void => useRenamedTopic.setState({ number })
