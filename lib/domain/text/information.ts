import { SPOKEN_ENGLISH } from "./spoken-english.ts"

/** The Zipf value of a stem that is not in the table, just below the rarest one that is. */
const RARE_ZIPF = 3.9
/** The Zipf value of a word that occurs in every billion words a billion times. */
const MAX_ZIPF = 9

let table: ReadonlyMap<string, number> | undefined

const parseTable = (): ReadonlyMap<string, number> => {
  const zipfValues = new Map<string, number>()
  let zipf = 0
  for (const entry of SPOKEN_ENGLISH.trim().split(/\s+/)) {
    if (/^\d/.test(entry)) zipf = Number(entry)
    else zipfValues.set(entry, zipf)
  }
  return zipfValues
}

const getZipf = (stem: string): number => {
  table ??= parseTable()
  return table.get(stem) ?? RARE_ZIPF
}

/** Returns the information of an English stem: the negative decimal logarithm of its probability in spoken English. */
export const getInformation = (stem: string): number => MAX_ZIPF - getZipf(stem)
