/** Average number of Latin characters per token of the Llama and Gemma tokenizers. */
const LATIN_CHARS_PER_TOKEN = 3.5

/**
 * Estimates the number of tokens of a text, rather too high than too low. Digits are separate tokens in most tokenizers.
 * Greek and Cyrillic have about two characters per token; later scripts (Indic, Thai, ideographs) nearly one.
 */
export const estimateTokens = (text: string): number => {
  let [single, latin, double] = [0, 0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code >= 0x30 && code <= 0x39) || code >= 0x590) single++
    else if (code < 0x250) latin++
    else double++
  }
  return Math.ceil(single + double / 2 + latin / LATIN_CHARS_PER_TOKEN)
}

/**
 * Returns the tokens of the context that are reserved for the answer: a quarter, at most 1024, or a sixteenth of a large
 * context, whose transcript has many topics to quote. Thinking needs half of the context.
 */
export const answerTokenBudget = (numCtx: number, reasoning: boolean): number =>
  Math.floor(reasoning ? numCtx / 2 : Math.min(numCtx / 4, Math.max(1024, numCtx / 16)))

/** Tokens reserved for a repair request and the invalid answer that it quotes. */
const REPAIR_TOKENS = 320

/** Returns the tokens of the context that are left for the transcript besides the prompt, the answer and a repair. */
export const transcriptTokenBudget = (numCtx: number, reasoning: boolean, prompt: string): number =>
  Math.max(128, numCtx - answerTokenBudget(numCtx, reasoning) - estimateTokens(prompt) - REPAIR_TOKENS)
