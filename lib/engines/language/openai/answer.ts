import * as z from "zod"
import type { TokenUsage } from "../model-call.ts"
import { createNotOpenAiError } from "./response-error.ts"
import type { OpenAiServer } from "./server.ts"

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          /** What the model thought, as llama.cpp, vLLM and DeepSeek or OpenRouter and Ollama return it. */
          reasoning_content: z.string().nullish().catch(undefined),
          reasoning: z.string().nullish().catch(undefined),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() }).nullish(),
})

export type ChatAnswer = {
  readonly text: string
  /** True if the answer reached its limit while the model was thinking. */
  readonly isCutInThought: boolean
  readonly usage: TokenUsage
}

const THINKS = /^\s*(?:<think|\[THINK\])/

/** Reads the body of a chat response. @throws AppError for a body of another form */
export const readAnswer = (server: OpenAiServer, body: object): ChatAnswer => {
  const parsed = completion.safeParse(body)
  if (!parsed.success) throw createNotOpenAiError(server, "responded without an answer", parsed.error)
  const { message, finish_reason } = parsed.data.choices[0]!
  const text = message.content ?? ""
  const thought = message.reasoning_content ?? message.reasoning ?? ""
  const isThinking = (text.trim() === "" && thought !== "") || (THINKS.test(text) && !/<\/think|\[\/THINK\]/.test(text))
  const { prompt_tokens, completion_tokens } = parsed.data.usage ?? {}
  return {
    text,
    isCutInThought: finish_reason === "length" && isThinking,
    usage: { input: prompt_tokens, output: completion_tokens },
  }
}
