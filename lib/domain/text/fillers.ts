const FILLER = /^(?:u+h*m*|e+r+m*|h+m+|m+(?:h+m+)?|a+h+|o+h+|uh-?huh|mm-?hmm?|ähm?|euh|eh|ehm)$/u

/** Returns true if a lower-case word is a filler such as "um". */
export const isFiller = (word: string): boolean => FILLER.test(word)

/** Words with which a listener shows that they follow. */
const BACKCHANNELS = new Set(
  "yeah yes yep yup right okay ok sure exactly mm-hmm uh-huh hmm mhm wow cool true".split(" "),
)

const normalize = (word: string): string => word.toLowerCase().replace(/[^\p{L}-]+/gu, "")
const isMark = (word: string): boolean => !/[\p{L}\p{N}]/u.test(word)

/** Returns true if words say nothing but "mm-hmm", "yeah" and the like. */
export const isBackchannel = (words: readonly string[]): boolean =>
  words.every((word) => isMark(word) || isFiller(normalize(word)) || BACKCHANNELS.has(normalize(word)))

/**
 * Returns for each word whether it is shown when fillers are hidden. A mark that follows a hidden filler is hidden with it
 * if it is a comma, or if a mark precedes the filler: "So , um , we" becomes "So, we".
 */
export const selectWithoutFillers = (words: readonly string[]): boolean[] => {
  const shown: boolean[] = []
  let isAfterFiller = false
  for (const [i, word] of words.entries()) {
    const filler = isFiller(normalize(word))
    const previous = shown.lastIndexOf(true)
    const isLooseMark = isMark(word) && isAfterFiller && (word === "," || previous < 0 || isMark(words[previous]!))
    shown[i] = !filler && !isLooseMark
    if (filler) isAfterFiller = true
    else if (shown[i]) isAfterFiller = false
  }
  return shown
}
