import type { ChatRequest } from "../model/transport.ts"

/**
 * The optional parts of a chat request, each in the forms that servers accept, best first. The last form leaves the part
 * out or is understood by every server.
 */
const FORMS = {
  /** The form of the answer. Prompts describe it as well. */
  format: [
    ({ format }: ChatRequest) =>
      format && {
        response_format: {
          type: "json_schema",
          json_schema: { name: format.kind, strict: true, schema: format.schema },
        },
      },
    ({ format }: ChatRequest) => format && { response_format: { type: "json_object" } },
    () => undefined,
  ],
  /** The limit of the answer. Reasoning models of OpenAI only take the second form. */
  limit: [
    ({ maxTokens }: ChatRequest) => ({ max_tokens: maxTokens }),
    ({ maxTokens }: ChatRequest) => ({ max_completion_tokens: maxTokens }),
    () => undefined,
  ],
  temperature: [() => ({ temperature: 0 }), () => undefined],
  /** Thinking, as OpenAI, Ollama, OpenRouter, LM Studio and vLLM take it. Models differ in the least effort that they have. */
  effort: [
    ({ reasoning }: ChatRequest) => ({ reasoning_effort: reasoning ? "medium" : "none" }),
    ({ reasoning }: ChatRequest) => ({ reasoning_effort: reasoning ? "medium" : "minimal" }),
    ({ reasoning }: ChatRequest) => ({ reasoning_effort: reasoning ? "medium" : "low" }),
    () => undefined,
  ],
  /** Thinking, as the chat templates of llama.cpp, vLLM and SGLang take it. */
  template: [
    ({ reasoning }: ChatRequest) => ({ chat_template_kwargs: { enable_thinking: reasoning } }),
    () => undefined,
  ],
  /** Token counts at the end of a stream. */
  usage: [() => ({ stream_options: { include_usage: true } }), () => undefined],
} as const satisfies Record<string, readonly ((request: ChatRequest) => object | undefined)[]>

type Part = keyof typeof FORMS
const PARTS = Object.keys(FORMS) as Part[]

/** The form of each part that a server accepts. */
export type AcceptedForms = Readonly<Record<Part, number>>

export const FIRST_FORMS: AcceptedForms = { format: 0, limit: 0, temperature: 0, effort: 0, template: 0, usage: 0 }

/** What an error message calls each part. */
const NAMES: Readonly<Record<Part, RegExp>> = {
  format: /response[_ ]format|json[_ ]schema|json[_ ]object|structured[_ ]output|grammar/i,
  limit: /max_tokens|max_completion_tokens/i,
  temperature: /temperature/i,
  effort: /reasoning|effort/i,
  template: /chat_template|enable_thinking/i,
  usage: /stream_options|include_usage/i,
}

const simplify = (forms: AcceptedForms, part: Part): AcceptedForms | null =>
  forms[part] + 1 < FORMS[part].length ? { ...forms, [part]: forms[part] + 1 } : null

/**
 * Returns the forms to try after a server rejected a request, or null if nothing is left to leave out: the next form of
 * each part that the message names. If it names none and the server has not accepted these forms before, the
 * next form of the answer, and at last no optional part.
 */
export const simplifyForms = (
  forms: AcceptedForms,
  reason: string,
  { hasFormat, areAccepted }: { readonly hasFormat: boolean; readonly areAccepted: boolean },
): AcceptedForms | null => {
  let next: AcceptedForms | null = null
  for (const part of PARTS) if (NAMES[part].test(reason)) next = simplify(next ?? forms, part) ?? next
  if (next || areAccepted) return next
  if (hasFormat) {
    const simpler = simplify(forms, "format")
    if (simpler) return simpler
  }
  const least = Object.fromEntries(PARTS.map((part) => [part, FORMS[part].length - 1])) as AcceptedForms
  return PARTS.every((part) => forms[part] === least[part]) ? null : least
}

/** Builds the body of a chat request (https://platform.openai.com/docs/api-reference/chat/create). */
export const buildChatBody = (
  model: string,
  request: ChatRequest,
  forms: AcceptedForms,
  { stream }: { readonly stream: boolean },
): Record<string, unknown> => {
  const parts = PARTS.filter((part) => stream || part !== "usage")
  const options = parts.map((part) => FORMS[part][forms[part]]!(request))
  return Object.assign({ model, messages: request.messages, stream }, ...options) as Record<string, unknown>
}
