/** Share of a token that a character takes, from the tokenizers of Llama and Gemma: digits stand alone, scripts without spaces nearly so. */
const DIGIT = 1
const IDEOGRAPH = 1
const OTHER_SCRIPT = 0.5
const LATIN = 1 / 3.5

/** An estimate of how many tokens a text takes, rather too many than too few. */
export const estimateTokens = (text: string): number => {
  let tokens = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) tokens += DIGIT
    else if (code < 0x250) tokens += LATIN
    else tokens += code < 0x2e80 ? OTHER_SCRIPT : IDEOGRAPH
  }
  return Math.ceil(tokens)
}

/** What of a context of `numCtx` tokens is kept free for the answer; thinking needs far more of it. */
export const answerRoom = (numCtx: number, reasoning: boolean): number =>
  reasoning ? Math.floor(numCtx / 2) : Math.min(1024, Math.floor(numCtx / 4))

/** Tokens that are left for the transcript beside the prompt, the answer, and one failed answer shown for repair. */
export const transcriptRoom = (numCtx: number, reasoning: boolean, prompt: string): number =>
  Math.max(128, numCtx - answerRoom(numCtx, reasoning) - estimateTokens(prompt) - REPAIR_TOKENS)

/** Room for what a repair call adds to the conversation. */
export const REPAIR_TOKENS = 320
