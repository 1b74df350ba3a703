/** Characters of Latin text that make one token, on average, with the tokenizers of Llama and Gemma. */
const LATIN_CHARACTERS = 3.5

/**
 * An estimate of how many tokens a text takes, rather too many than too few: digits stand alone in most tokenizers;
 * Greek and Cyrillic take about two characters a token; scripts further on (Indic, Thai, ideographs) nearly one.
 */
export const estimateTokens = (text: string): number => {
  let [single, latin, double] = [0, 0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code >= 0x30 && code <= 0x39) || code >= 0x590) single++
    else if (code < 0x250) latin++
    else double++
  }
  return Math.ceil(single + double / 2 + latin / LATIN_CHARACTERS)
}

/** What of a context of `numCtx` tokens is kept free for the answer; thinking needs far more of it. */
export const answerRoom = (numCtx: number, reasoning: boolean): number =>
  reasoning ? Math.floor(numCtx / 2) : Math.min(1024, Math.floor(numCtx / 4))

/** Tokens that are left for the transcript beside the prompt, the answer, and one failed answer shown for repair. */
export const transcriptTokenBudget = (numCtx: number, reasoning: boolean, prompt: string): number =>
  Math.max(128, numCtx - answerRoom(numCtx, reasoning) - estimateTokens(prompt) - REPAIR_TOKENS)

/** Room for what a repair call adds to the conversation. */
export const REPAIR_TOKENS = 320
