import { trimEndOf } from "../../../domain/text/trim-end.ts"

/** The names of the settings that messages refer to. */
export type ServerSettings = { readonly url: string; readonly key: string; readonly model: string }

/** A server with the HTTP API of OpenAI. */
export type OpenAiServer = {
  readonly use: "language" | "embedding"
  readonly settings: ServerSettings
  /** The URL to which `/chat/completions` is appended, usually with `/v1` at its end. */
  readonly base: string
  readonly apiKey: string | undefined
  /** How long the server may take for one response, in milliseconds. */
  readonly timeoutMs: number
}

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
