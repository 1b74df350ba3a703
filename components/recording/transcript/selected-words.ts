/** Words of the transcript: index of the first word and of the word after the last. */
export type WordRange = { readonly first: number; readonly end: number }

/**
 * Returns the words that a selection touches, or null without a selection of words within `container`. Words of paragraphs
 * that the pointer has not entered are no elements; of such a paragraph between two others, all words are selected.
 */
export const findSelectedWords = (container: Element, selection: Selection): WordRange | null => {
  if (selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const words = [...container.querySelectorAll<HTMLElement>("[data-w]")].filter((word) => range.intersectsNode(word))
  // A range that ends at the start of a word touches its element without containing a letter of it.
  const touched = words.filter((word) => {
    const own = document.createRange()
    own.selectNodeContents(word)
    return (
      range.compareBoundaryPoints(Range.END_TO_START, own) < 0 &&
      range.compareBoundaryPoints(Range.START_TO_END, own) > 0
    )
  })
  const [first, last] = [touched[0], touched.at(-1)]
  if (!first || !last) return null
  return { first: Number(first.dataset.w), end: Number(last.dataset.w) + 1 }
}
