import { stem } from "./stem.ts"
import { isContentWord, STOP_WORDS } from "./stop-words.ts"
import { normalizeWord, splitWords } from "./tokens.ts"
import { isHonorific } from "./word-classes.ts"

/** A content word of a sequence of texts. */
export type ContentWord = {
  readonly stem: string
  /** As written, but in lower case if it is capitalized like the first word of a sentence. */
  readonly form: string
  /** The index of the text that contains it. */
  readonly text: number
  /** Words of the same run follow each other without punctuation or function words between them. */
  readonly run: number
  /** Words of the same turn belong to the same speaker. */
  readonly turn: number
  /** True after a form of address: the "Chair" of "Mr. Chair". */
  readonly isAddressed: boolean
}

/** A word of a transcript, or a longer text. */
export type TextPart = { readonly text: string; readonly turn: number }

const PUNCTUATION = /[.,;:!?()"“”…]/u

/** Lower-cases a word that is capitalized like the first word of a sentence, but not "NASA" or "iPhone". */
const lowerInitial = (word: string): string => (/^\p{Lu}[\p{Ll}'’-]+$/u.test(word) ? word.toLowerCase() : word)

/**
 * Returns the content words of texts, in order.
 * @param stop the function words of the texts' language
 */
export const listContentWords = (parts: readonly TextPart[], stop: ReadonlySet<string> = STOP_WORDS): ContentWord[] => {
  const words: ContentWord[] = []
  let run = 0
  let turn = 0
  let isAddressed = false
  parts.forEach((part, text) => {
    if (part.turn !== turn) run++
    turn = part.turn
    for (const piece of part.text.split(/(?<=[.,;:!?()"“”…])|(?=[.,;:!?()"“”…])/u)) {
      for (const written of splitWords(piece)) {
        const word = normalizeWord(written)
        if (isContentWord(word, stop) && !isHonorific(word))
          words.push({ stem: stem(word), form: lowerInitial(written), text, run, turn, isAddressed })
        else run++
        isAddressed = isHonorific(word)
      }
      if (PUNCTUATION.test(piece)) run++
    }
  })
  return words
}
