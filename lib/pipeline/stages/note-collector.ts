/** Collects notes of concurrent calls in the order of their topics. */
export const createNoteCollector = () => {
  const notes: { readonly index: number; readonly sentence: string }[] = []
  return {
    /** Returns the function that records notes about the topic at `index`. */
    noteFor: (index: number) => (sentence: string) => {
      notes.push({ index, sentence })
    },
    /** Returns the notes as part of a stage's output, or an empty object if there are none. */
    toOutput: (): { notes?: string[] } =>
      notes.length === 0 ? {} : { notes: [...notes].sort((a, b) => a.index - b.index).map(({ sentence }) => sentence) },
  }
}
