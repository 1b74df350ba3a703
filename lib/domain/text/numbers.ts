import { normalizeWord, splitWords } from "./tokens.ts"

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  )
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const SCALES = new Map([
  ["hundred", 1e2],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
])

const parseNumberWord = (word: string): number | null => {
  const unit = UNITS.indexOf(word)
  const ten = TENS.indexOf(word)
  return unit >= 0 ? unit : ten >= 0 ? (ten + 2) * 10 : null
}

/** Returns the numbers written in digits in a word, without thousands separators: one each in "1,200", "25th" and "C-10". */
const parseDigits = (word: string): number[] =>
  (word.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").match(/\d+(?:\.\d+)?/g) ?? []).map(Number)

/**
 * Returns the numbers in an English text: digits, and spoken numbers such as "twenty five thousand", "one point six" or
 * "nineteen sixty". In other languages it finds digits only.
 * @param includeParts also return the value of every number word, because speech lists figures without separators
 */
export const extractNumbers = (text: string, includeParts = false): Set<number> => {
  const found = new Set<number>()
  // The completed thousands, the part below them, digits after "point", and the preceding number ("nineteen").
  let sum = 0
  let part: number | null = null
  let decimals: string | null = null
  let century: number | null = null
  const close = (): void => {
    if (part === null && sum === 0) return
    const value = Number(`${sum + (part ?? 0)}${decimals ? `.${decimals}` : ""}`)
    found.add(value)
    const year = century !== null && value < 100 ? century * 100 + value : null
    if (year !== null) found.add(year)
    century = value >= 10 && value < 100 ? value : null
    ;[sum, part, decimals] = [0, null, null]
  }
  for (const word of text.split(/\s+/).flatMap((w) => (/\d/.test(w) ? [w] : splitWords(w)))) {
    for (const piece of /\d/.test(word) ? [word] : normalizeWord(word).split("-")) {
      const unit = parseNumberWord(piece)
      const scale = SCALES.get(piece)
      const written = parseDigits(piece)
      if (written.length > 0) {
        close()
        century = null
        for (const value of written.slice(0, -1)) found.add(value)
        part = written.at(-1)!
        if (includeParts) found.add(part)
      } else if (unit !== null) {
        if (includeParts) found.add(unit)
        if (decimals !== null) decimals += String(unit)
        else {
          // "fifty three" is 53, but "three fifty" is two numbers.
          if (part !== null && part % 100 !== 0 && !(part % 100 >= 20 && part % 10 === 0 && unit < 10)) close()
          part = (part ?? 0) + unit
        }
      } else if (scale !== undefined) {
        const value: number = Number(`${part ?? 1}${decimals ? `.${decimals}` : ""}`) * scale
        decimals = null
        if (includeParts) found.add(value)
        if (scale === 100) part = value
        else [sum, part] = [sum + value, null]
      } else if (piece === "point" && part !== null && decimals === null) decimals = ""
      else if (piece !== "and" || part === null || part % 100 !== 0) {
        close()
        century = null
      }
    }
  }
  close()
  return found
}
