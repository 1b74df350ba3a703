import { expandWords } from "./expand.ts"
import { CONNECTORS, compilePhrases, type Phrases } from "./phrases.ts"

const DECIDED = compilePhrases(`
we decided|we have decided|we have now decided|we have all decided|we agreed|we have agreed|we all agreed|we settled on|we have settled on|we chose|we have chosen|we concluded|we have concluded|we are agreed|everybody agreed|everyone agreed
it was decided|it is decided|it has been decided|it was agreed|it is agreed|it has been agreed|that is decided|that is agreed|that is settled|the decision is|the decision was|our decision is|final decision is|i have decided|they have decided|they decided|management has decided|has been decided|have been decided
`)
const CHOSEN = compilePhrases(`
let us go with|let us go for|let us stick with|let us stick to|let us use|let us keep|let us leave it|let us drop|let us choose|let us pick|let us settle
we will go with|we will go for|we will stick with|we will stick to|we will use|we will drop|we will leave it|we will leave out|we will skip|we will take the
we are going with|we are going for|we are going to go with|we are going to go for|we are going to use|we are going to stick with|we are going to have a
so we go for|so we go with|so we take|so we use|then we go for|then we go with
`)
/** Whole sentences that accept what somebody proposed. */
const ACCEPTED = compilePhrases(
  "let us do that|let us do it|we will do that|we will do it|we go for that|let us leave it at that|we will leave it at that",
)
const MAX_ACCEPTED_WORDS = 8

/** Phrases of sentences that propose a decision, ask for one or refer to an earlier one. */
const NOT_DECIDED = compilePhrases(`
not decided|not agreed|not yet|have to decide|need to decide|should decide|to be decided|if we|if you|whether|maybe|perhaps|might|could|would|should we|shall we|do we|did we|can we|have we|what if|unless|probably|i think we should|decide whether|decide on what|before we decided|let us say we|let us say it|i guess|for the moment|or we|see how|see what|not sure|i suspect|sure we can|we agreed on that|we had to|need to know|in accordance with
`)

/** Returns true if a phrase occurs, and not in a clause that only describes something: "the chip that we're going to use". */
const isStated = (words: readonly string[], phrases: Phrases): boolean =>
  words.some((_, at) => {
    const length = phrases.matchAt(words, at)
    if (length === 0 || CONNECTORS.has(words[at - 1] ?? "")) return false
    // "The buttons we agreed on" and "going to have to" state nothing.
    return at + length + 1 < words.length || at === 0
  })

/**
 * Returns how sure a sentence states a decision, from 0 to 1, or null if it does not. Takes time linear in the length of the
 * sentence.
 */
export const weighDecision = (sentence: string): number | null => {
  if (sentence.trimEnd().endsWith("?")) return null
  const words = expandWords(sentence)
  if (NOT_DECIDED.find(words) >= 0) return null
  if (isStated(words, DECIDED)) return 0.9
  if (words.length <= MAX_ACCEPTED_WORDS && isStated(words, ACCEPTED)) return 0.6
  return isStated(words, CHOSEN) ? 0.6 : null
}
