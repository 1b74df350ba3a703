import { findFirstWordFrom, partitionPoint } from "../partition-point.ts"
import type { WordSpan } from "./words.ts"

/**
 * The place of a word: the slot of the last original word that starts no later, and the index within the slot. Places are
 * in order of start time.
 */
export type Place = { readonly slot: number; readonly index: number }

/** A word of which a speaker can be assigned in place. */
export type EditableWord = Omit<WordSpan, "speaker"> & { speaker: string }

/** A transcript in which replacing a word costs time in proportion to the words around it, not to all words. */
export type EditableWords = {
  /** Calls a function with the words that start in [from, to], in seconds. It must not add or remove words. */
  visit(from: number, to: number, call: (word: EditableWord, slot: number, index: number) => void): void
  /** Replaces a word by one with the same start. */
  set(place: Place, word: WordSpan): void
  remove(place: Place): void
  insertAt(place: Place, word: WordSpan): void
  /** Returns the place for a new word: after all words that start no later. The first word must not start later. */
  placeOf(start: number): Place
  toWords(): EditableWord[]
}

/** @param original words in order of start time. Words are inserted between them, so that their starts can be searched. */
export const createEditableWords = (original: readonly WordSpan[]): EditableWords => {
  const slots: EditableWord[][] = original.map((word) => [{ ...word }])
  return {
    visit: (from, to, call) => {
      const first = findFirstWordFrom(original, from)
      // Words that were inserted after an original word can start later than it.
      for (let slot = Math.max(0, first - 1); slot < slots.length && original[slot]!.start <= to; slot++) {
        const words = slots[slot]!
        for (
          let i = slot < first ? partitionPoint(words.length, (at) => words[at]!.start < from) : 0;
          i < words.length;
          i++
        )
          if (words[i]!.start <= to) call(words[i]!, slot, i)
      }
    },
    set: ({ slot, index }, word) => {
      slots[slot]![index] = word
    },
    remove: ({ slot, index }) => {
      slots[slot]!.splice(index, 1)
    },
    insertAt: ({ slot, index }, word) => {
      slots[slot]!.splice(index, 0, word)
    },
    placeOf: (start) => {
      const slot = partitionPoint(original.length, (i) => original[i]!.start <= start) - 1
      const words = slots[slot]!
      return { slot, index: partitionPoint(words.length, (i) => words[i]!.start <= start) }
    },
    toWords: () => slots.flat(),
  }
}
