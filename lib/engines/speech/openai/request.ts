import { AppError, messageOf } from "../../../domain/errors.ts"
import { parseRetryAfterMs } from "../../../domain/retry-after.ts"
import { BodyTooLargeError } from "../../../platform/read-limited.ts"
import { parseServerMessage } from "../../http/server-message.ts"
import { type Attempt, withRetries } from "../../http/with-retries.ts"
import { type FormFile, type FormResponse, postForm } from "./form.ts"

export type Server = {
  /** Ends in `/v1`. */
  readonly base: string
  readonly apiKey: string | undefined
  /** How long the server may take for ten minutes of audio. */
  readonly timeoutMs: number
}

/** Returns the server at a URL that may or may not end in `/v1`. */
export const resolveServer = (url: string, options: Pick<Server, "apiKey" | "timeoutMs">): Server => ({
  base: url.endsWith("/v1") ? url : `${url}/v1`,
  ...options,
})

export const authorization = ({ apiKey }: Server): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

/** Extra time for a server that loads its model first. */
const MODEL_LOAD_MS = 60_000
/** The length of audio to which the timeout of a server applies. */
const TIMEOUT_AUDIO_S = 600
const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns how long a server may take for this much audio, including sending and response. */
const responseTimeoutMs = ({ timeoutMs }: Server, length_s: number): number =>
  Math.min(MODEL_LOAD_MS + Math.ceil((timeoutMs * length_s) / TIMEOUT_AUDIO_S), MAX_TIMER_MS)

/** Returns the error message in a response, preceded by a colon, or "" if there is none. */
export const serverErrorDetail = (body: string): string => {
  const message = parseServerMessage(body)
  return message === null ? "" : `: ${message}`
}

/** Statuses of a server that does not support an endpoint. */
const UNSUPPORTED_STATUSES = [404, 405, 501]

const toResponseError = (
  { base }: Server,
  { status, body, headers }: FormResponse,
  missingEndpointMessage: string | undefined,
): AppError => {
  const { host } = new URL(base)
  if (missingEndpointMessage !== undefined && UNSUPPORTED_STATUSES.includes(status))
    return new AppError("not_found", missingEndpointMessage)
  if (status >= 300 && status < 400)
    return new AppError(
      "unavailable",
      `The speech server ${host} redirects to ${headers.location ?? "another address"} (HTTP ${status}). Set SERVICE_SPEECH_URL to the final address.`,
    )
  if (status === 401 || status === 403)
    return new AppError(
      "unavailable",
      `The speech server ${host} rejected the API key (HTTP ${status}). Check SERVICE_SPEECH_API_KEY.`,
    )
  if (status === 404)
    return new AppError(
      "unavailable",
      `The speech server ${host} does not have this endpoint or model (HTTP 404)${serverErrorDetail(body)}. Check SERVICE_SPEECH_URL and the name of the model.`,
    )
  if (status === 413)
    return new AppError(
      "too_large",
      `The recording is too large for the speech server ${host}${serverErrorDetail(body)}`,
    )
  return new AppError(
    "unavailable",
    `The speech server ${host} rejected the request (HTTP ${status})${serverErrorDetail(body)}`,
    { retry: status >= 500 ? "retry" : "never" },
  )
}

const busyMessage = ({ base }: Server, until: string, { status, body }: FormResponse): string =>
  `The speech server ${new URL(base).host} is busy until ${until} (HTTP ${status}${serverErrorDetail(body)})`

const timeoutError = ({ base }: Server, timeoutMs: number, length_s: number): AppError =>
  new AppError(
    "unavailable",
    `The speech server ${new URL(base).host} did not respond completely within ${Math.round(timeoutMs / 1000)} s to ${Math.round(length_s)} s of audio. Check its log, or raise SERVICE_SPEECH_TIMEOUT_S.`,
    { retry: "retry" },
  )

export type AudioRequest = {
  readonly fields: readonly (readonly [string, string])[]
  readonly file: FormFile
  /** The length of the audio in seconds. The timeout is proportional to it. */
  readonly length_s: number
  /** The error message if the server does not have the endpoint, which may be optional. */
  readonly missingEndpointMessage?: string
}

/**
 * Sends audio to the server and returns the body of the response. Retries on 429, 5xx and connection errors, after
 * `Retry-After` if the server sends it. A wait of more than a minute is left to the job queue.
 * @throws AppError
 */
export const postAudio = async (
  server: Server,
  path: string,
  { length_s, missingEndpointMessage, ...form }: AudioRequest,
  signal: AbortSignal,
): Promise<string> => {
  const timeoutMs = responseTimeoutMs(server, length_s)
  const { host } = new URL(server.base)
  const post = async (): Promise<Attempt<string>> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const combined = AbortSignal.any([signal, timeout])
      const response = await postForm(`${server.base}${path}`, { ...form, headers: authorization(server) }, combined)
      if (response.status === 200) return { value: response.body }
      const failure = toResponseError(server, response, missingEndpointMessage)
      if (failure.code === "not_found" || (response.status !== 429 && response.status < 500)) throw failure
      return {
        failure: new AppError("unavailable", failure.message, { retry: "retry" }),
        retryAfterMs: parseRetryAfterMs(response.headers["retry-after"]),
        busyMessage: (until) => busyMessage(server, until, response),
      }
    } catch (error) {
      signal.throwIfAborted()
      if (AppError.is(error)) throw error
      if (timeout.aborted) throw timeoutError(server, timeoutMs, length_s)
      if (error instanceof BodyTooLargeError)
        throw new AppError("unavailable", `The speech server ${host} sent an invalid response: ${error.message}`, {
          cause: error,
        })
      const reason = (error as NodeJS.ErrnoException).code ?? messageOf(error)
      const message = `Couldn't reach the speech server ${host} (${reason}). Start it, or check SERVICE_SPEECH_URL.`
      const failure = new AppError("unavailable", message, { cause: error, retry: "retry" })
      return { failure, retryAfterMs: null, busyMessage: () => message }
    }
  }
  return withRetries(post, signal)
}
