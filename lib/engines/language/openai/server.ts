import { trimEndOf } from "../../../domain/text/trim-end.ts"

/** What a server is used for. Messages name the settings of this use. */
export type ServerUse = "language" | "embedding"

/** A server with the HTTP API of OpenAI. */
export type OpenAiServer = {
  readonly use: ServerUse
  /** The URL to which `/chat/completions` is appended, usually with `/v1` at its end. */
  readonly base: string
  readonly apiKey: string | undefined
  /** How long the server may take for one response, in milliseconds. */
  readonly timeoutMs: number
}

/** The names of the settings of each use. */
export const SETTINGS_OF = {
  language: { url: "SERVICE_OPENAI_BASE_URL", key: "SERVICE_OPENAI_API_KEY", model: "SERVICE_LLM_MODEL" },
  embedding: {
    url: "SERVICE_OPENAI_EMBED_BASE_URL",
    key: "SERVICE_OPENAI_EMBED_API_KEY",
    model: "SERVICE_EMBED_MODEL",
  },
} as const

/**
 * Returns the address to which paths such as `/models` are appended. `/v1` is added to a URL without a version, and the
 * path of an endpoint is removed. Some servers have other versions, such as `/v1beta/openai`.
 */
export const resolveBase = (url: string): string => {
  const base = trimEndOf(url, /\//).replace(/\/(?:chat\/completions|completions|embeddings|models)$/, "")
  return /\/v\d/.test(new URL(base).pathname) ? base : `${base}/v1`
}

export const hostOf = ({ base }: Pick<OpenAiServer, "base">): string => new URL(base).host

/** Replaces the API key in a text from the server, which may repeat it. */
export const hideKey = ({ apiKey }: Pick<OpenAiServer, "apiKey">, text: string): string =>
  apiKey === undefined ? text : text.replaceAll(apiKey, "…")
