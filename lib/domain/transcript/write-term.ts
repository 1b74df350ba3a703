const FIRST_LETTER = /[\p{L}\p{N}]/u

const isLowerCase = (text: string): boolean => text === text.toLowerCase()
const capitalize = (text: string): string => text.replace(FIRST_LETTER, (letter) => letter.toUpperCase())

/** Returns a text as it is written, but with a capital if it has none and the words it replaces begin with one. */
export const writeTerm = (term: string, replaced: string): string => {
  const [first = ""] = FIRST_LETTER.exec(replaced) ?? []
  return isLowerCase(term) && !isLowerCase(first) ? capitalize(term) : term
}
