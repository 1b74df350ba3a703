import { normalizeWord, splitWords } from "./tokens.ts"
import { isVerbForm } from "./word-classes.ts"

/** Lengths in words between which a sentence reads best. */
const GOOD_LENGTH_WORDS = [10, 36] as const
/** Shorter sentences rarely say anything. */
const MIN_LENGTH_WORDS = 5

/** Beginnings of sentences that continue or refer to the previous one. */
const DEPENDENT =
  /^(?:is|are|was|were|be|been|has|have|had|does|do|did|of|which|who|that|than|to|or|nor|it|its|it's|this|these|those|that's|there's|there|here|he|she|they|them|in order|if|as|because|'cause|cause|except|not|no|just|with|without|for|from|like|such|also|too|another|maybe|even|same|whereas|while|unless|rather|sorry|thank|thanks|yes|yeah|yep|right|okay|excuse|please|hello|hi|let|let's)\b/i
/** Endings of incomplete sentences. */
const INCOMPLETE =
  /\b(?:a|an|the|and|but|or|so|of|to|in|on|at|by|with|for|from|is|are|was|were|be|it's|that's|there's|he's|she's|we're|they're|i'm|you're|like|because|if|that|which|who|whose|my|your|our|their|this way|i|we|he|she|they|as|than|not|very|really|just|kind of|sort of|or whatever|and stuff|um|uh|th|will|would|can|could|should|may|might|must|have|has|had|do|does|did|gonna|wanna|bit|most|one thing|i think|i mean|you know|i guess)[.…]$/i
/** Signs of a clause: an auxiliary verb, or a pronoun before another word. */
const CLAUSE =
  /(?:\b(?:is|are|was|were|am|be|has|have|had|does|do|did|can|could|will|would|should|must|may|might|need|needs|want|wants|means|makes|gives|takes|uses|shows|works|goes|gets)\b|['’](?:s|re|m|ll|d|ve)\b|n['’]t\b|\b(?:we|you|they|he|she|it|i|who|which|that) [a-z]{2,})/i
/** Remarks about the conversation itself, such as thanks and turn-taking. */
const HOUSEKEEPING =
  /\b(?:thank you|thanks|excuse me|sorry|go ahead|can you hear|could you repeat|let me (?:see|just)|i don't know|i'm not sure|i have no idea|i've got no idea|next question|raise your hand|on mute|your microphone|minutes left|five minutes|honou?rable member)\b/i
const FIRST_PERSON = /\b(?:i|i'm|i've|i'd|i'll|me|my)\b/gi
/** Remains of false starts: single letters, truncated words, doubled auxiliaries. */
const FRAGMENT =
  /(?:^|\s)(?![ai]\b)[a-z](?=[\s,])|\b(\w{1,9}) \1\w+|\b(?:could|should|would|can|will|is|are|was) (?:could|should|would|can|will|is|are|was)\b|, (?:and )?(?:yeah|whatever|right|okay)[,.]/i

/**
 * Scores from 0 to 1 how well a cleaned sentence reads on its own. Complete, independent statements of moderate length
 * score best. The word lists are English; other languages are judged by length and punctuation only.
 */
export const scoreReadability = (sentence: string): number => {
  const length = splitWords(sentence).length
  const [low, high] = GOOD_LENGTH_WORDS
  const fit = length < low ? length / low : length > high ? high / length : 1
  let factor = fit * fit
  if (length < MIN_LENGTH_WORDS) factor *= 0.2
  if (/[?？؟]$/u.test(sentence)) factor *= 0.2
  if (DEPENDENT.test(sentence)) factor *= 0.6
  if (INCOMPLETE.test(sentence)) factor *= 0.2
  if (
    /^[\p{Script=Latin}\p{P}\p{N}\s]+$/u.test(sentence) &&
    !CLAUSE.test(sentence) &&
    !splitWords(sentence).some((w) => isVerbForm(normalizeWord(w)))
  )
    factor *= 0.5
  if (HOUSEKEEPING.test(sentence)) factor *= 0.4
  if (FRAGMENT.test(sentence)) factor *= 0.5
  factor *= 0.85 ** Math.min(3, sentence.match(FIRST_PERSON)?.length ?? 0)
  return factor
}
