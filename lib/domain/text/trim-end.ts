/**
 * Removes characters from the end of a text while each matches `character`. A regular expression such as /[\s,]+$/ takes
 * quadratic time, because it starts again at every character.
 */
export const trimEndOf = (text: string, character: RegExp): string => {
  let end = text.length
  while (end > 0 && character.test(text[end - 1]!)) end--
  return text.slice(0, end)
}
