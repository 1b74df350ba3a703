import { stem } from "../../text/stem.ts"
import { normalise, wordsOf } from "../../text/tokens.ts"

const plain = (word: string): string => normalise(word).normalize("NFD").replace(/\p{M}/gu, "")

/** The stems of a text, as often as they stand in it. */
export const stemsOf = (text: string): string[] =>
  wordsOf(text).flatMap((w) =>
    plain(w)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .map(stem),
  )
