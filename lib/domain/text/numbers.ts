import { normalise, wordsOf } from "./tokens.ts"

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

const unitOf = (word: string): number | null => {
  const unit = UNITS.indexOf(word)
  const ten = TENS.indexOf(word)
  return unit >= 0 ? unit : ten >= 0 ? (ten + 2) * 10 : null
}

/** A word that is a number in digits, without separators: "1,200" and "1200" are one, "25th" and "C-10" hold one. */
const digitsOf = (word: string): number[] =>
  (word.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").match(/\d+(?:\.\d+)?/g) ?? []).map(Number)

/**
 * The numbers in an English text: digits, and what "twenty five thousand", "one point six" or "nineteen sixty" amounts
 * to. In other languages only what is written with digits.
 * @param parts also what each word of a longer number says by itself: speech lists figures without a sign between
 */
export const numbersIn = (text: string, parts = false): Set<number> => {
  const found = new Set<number>()
  // What thousands have been closed, what is open below them, digits after "point", and a number just before ("nineteen").
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
  for (const word of text.split(/\s+/).flatMap((w) => (/\d/.test(w) ? [w] : wordsOf(w)))) {
    for (const piece of /\d/.test(word) ? [word] : normalise(word).split("-")) {
      const unit = unitOf(piece)
      const scale = SCALES.get(piece)
      const written = digitsOf(piece)
      if (written.length > 0) {
        close()
        century = null
        for (const value of written.slice(0, -1)) found.add(value)
        part = written.at(-1)!
        if (parts) found.add(part)
      } else if (unit !== null) {
        if (parts) found.add(unit)
        if (decimals !== null) decimals += String(unit)
        else {
          // "fifty three" is 53, "three fifty" is two numbers.
          if (part !== null && part % 100 !== 0 && !(part % 100 >= 20 && part % 10 === 0 && unit < 10)) close()
          part = (part ?? 0) + unit
        }
      } else if (scale !== undefined) {
        const value: number = Number(`${part ?? 1}${decimals ? `.${decimals}` : ""}`) * scale
        decimals = null
        if (parts) found.add(value)
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
