import { setTimeout as sleep } from "node:timers/promises"
import { AppError, messageOf } from "../../errors.ts"
import { type FormAnswer, type FormFile, postForm } from "./form.ts"

export type Server = {
  /** With `/v1` at its end. */
  readonly base: string
  readonly apiKey: string | undefined
}

/** The server's base address as people give it, with or without `/v1`. */
export const serverAt = (url: string, apiKey: string | undefined): Server => ({
  base: url.endsWith("/v1") ? url : `${url}/v1`,
  apiKey,
})

export const authorization = ({ apiKey }: Server): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

/** Requests for one thing, the first one included. */
const MAX_ASKS = 4
const PAUSE_MS = 1000
/** A longer wait is not made here: the job goes back to its queue for so long. */
const MAX_WAIT_MS = 60_000

/** The last moment that a date can hold. */
const FAR_AWAY = 8.64e15

/** Milliseconds that an answer asks to wait: seconds or a date; null: it does not say. */
const retryAfter = ({ headers }: FormAnswer): number | null => {
  const value = headers["retry-after"]
  if (value === undefined) return null
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : null
}

/** What the server says in its answer, in one line. */
const said = (body: string): string => {
  try {
    const { error, detail, message } = JSON.parse(body) as Record<string, unknown>
    const nested = (error as { message?: unknown } | null)?.message
    const text = [nested, error, detail, message].find((t) => typeof t === "string")
    if (typeof text === "string") return `: ${text.slice(0, 300)}`
  } catch {
    // Not JSON: a page of some proxy, of which nobody can make anything.
  }
  return ""
}

const refusal = ({ base }: Server, { status, body }: FormAnswer): AppError => {
  const { host } = new URL(base)
  if (status === 401 || status === 403)
    return new AppError(
      "unavailable",
      `the speech server ${host} does not let us in (${status}): check SERVICE_SPEECH_API_KEY`,
    )
  if (status === 404)
    return new AppError(
      "unavailable",
      `the speech server ${host} does not know this address or model (404)${said(body)}: check SERVICE_SPEECH_URL and the model's name`,
    )
  if (status === 413)
    return new AppError("too_large", `the recording is too large for the speech server ${host}${said(body)}`)
  return new AppError("unavailable", `the speech server ${host} refuses (${status})${said(body)}`, {
    retry: status >= 500 ? "retry" : "never",
  })
}

const asksToWait = ({ base }: Server, ms: number, { message }: AppError): string => {
  const until = new Date(Math.min(Date.now() + ms, FAR_AWAY)).toISOString().slice(0, 19).replace("T", " ")
  return `the speech server ${new URL(base).host} asks to wait until ${until} UTC (${message})`
}

/**
 * Sends sound to the server; a busy or stumbling one (429, 5xx, a broken connection) is asked again, after the wait that
 * it names. A wait of more than a minute is left to the job's queue.
 * @throws AppError `unavailable` with what to check
 */
export const askServer = async (
  server: Server,
  path: string,
  form: { readonly fields: readonly (readonly [string, string])[]; readonly file: FormFile },
  signal: AbortSignal,
): Promise<string> => {
  for (let asks = 1; ; asks++) {
    let answer: FormAnswer | null = null
    let failure: AppError
    try {
      answer = await postForm(`${server.base}${path}`, { ...form, headers: authorization(server) }, signal)
      if (answer.status === 200) return answer.body
      failure = refusal(server, answer)
      if (answer.status !== 429 && answer.status < 500) throw failure
    } catch (error) {
      signal.throwIfAborted()
      if (AppError.is(error)) throw error
      const { host } = new URL(server.base)
      const reason = (error as NodeJS.ErrnoException).code ?? messageOf(error)
      failure = new AppError(
        "unavailable",
        `the speech server ${host} cannot be reached (${reason}): start it, or check SERVICE_SPEECH_URL`,
        { cause: error, retry: "retry" },
      )
    }
    const wait = (answer && retryAfter(answer)) ?? PAUSE_MS * 2 ** (asks - 1)
    if (wait > MAX_WAIT_MS)
      throw new AppError("unavailable", asksToWait(server, wait, failure), { retry: "later", retryInMs: wait })
    if (asks === MAX_ASKS) throw new AppError("unavailable", failure.message, { retry: "retry" })
    await sleep(wait, undefined, { signal })
  }
}
