/** Returns the letters and digits of a text. Texts that were extracted in different ways have these in common. */
export const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "")

/** Returns the position in a text of its n-th letter or digit, counted from 0; the length of the text if it has fewer. */
export const positionOfLetter = (text: string, n: number): number => {
  let count = 0
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (count + match[0].length > n) return match.index + n - count
    count += match[0].length
  }
  return text.length
}
