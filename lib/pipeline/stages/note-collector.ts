/** Notes of calls that run at once, in the order of what they are about. */
export const createNoteCollector = () => {
  const pages: { readonly at: number; readonly sentence: string }[] = []
  return {
    /** Takes the notes on the `at`-th thing of the stage. */
    page: (at: number) => (sentence: string) => {
      pages.push({ at, sentence })
    },
    /** As part of a stage's output; nothing when there are none. */
    written: (): { notes?: string[] } =>
      pages.length === 0 ? {} : { notes: [...pages].sort((a, b) => a.at - b.at).map(({ sentence }) => sentence) },
  }
}
