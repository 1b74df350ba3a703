import { setTimeout as sleep } from "node:timers/promises"
import { AppError, messageOf } from "../../../domain/errors.ts"
import { BodyTooLargeError } from "../../../platform/read-limited.ts"
import { parseRetryAfterMs } from "../../../platform/retry-after.ts"
import { type FormAnswer, type FormFile, postForm } from "./form.ts"

export type Server = {
  /** With `/v1` at its end. */
  readonly base: string
  readonly apiKey: string | undefined
  /** How long it may take for ten minutes of sound, in milliseconds. */
  readonly timeoutMs: number
}

/** The server's base address as people give it, with or without `/v1`. */
export const serverAt = (url: string, more: Pick<Server, "apiKey" | "timeoutMs">): Server => ({
  base: url.endsWith("/v1") ? url : `${url}/v1`,
  ...more,
})

export const authorization = ({ apiKey }: Server): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

/** A server that loads its model first. */
const START_MS = 60_000
const TIMED_S = 600
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** How long a server may take for so many seconds of sound, sending and answer included, in milliseconds. */
const limitFor = ({ timeoutMs }: Server, length_s: number): number =>
  Math.min(START_MS + Math.ceil((timeoutMs * length_s) / TIMED_S), LONGEST_TIMER_MS)

/** Requests for one thing, the first one included. */
const MAX_ASKS = 4
const PAUSE_MS = 1000
/** A longer wait is not made here: the job goes back to its queue for so long. */
const MAX_WAIT_MS = 60_000

/** The last moment that a date can hold. */
const FAR_AWAY = 8.64e15

/** What the server says in its answer, in one line. */
export const serverErrorDetail = (body: string): string => {
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

/** Statuses of a server that does not know an address or what is asked of it there. */
const UNKNOWN = [404, 405, 501]

const refusal = ({ base }: Server, { status, body, headers }: FormAnswer, absent: string | undefined): AppError => {
  const { host } = new URL(base)
  if (absent !== undefined && UNKNOWN.includes(status)) return new AppError("not_found", absent)
  if (status >= 300 && status < 400)
    return new AppError(
      "unavailable",
      `the speech server ${host} leads to ${headers.location ?? "another address"} (${status}): give the address where it ends in SERVICE_SPEECH_URL`,
    )
  if (status === 401 || status === 403)
    return new AppError(
      "unavailable",
      `the speech server ${host} does not let us in (${status}): check SERVICE_SPEECH_API_KEY`,
    )
  if (status === 404)
    return new AppError(
      "unavailable",
      `the speech server ${host} does not know this address or model (404)${serverErrorDetail(body)}: check SERVICE_SPEECH_URL and the model's name`,
    )
  if (status === 413)
    return new AppError(
      "too_large",
      `the recording is too large for the speech server ${host}${serverErrorDetail(body)}`,
    )
  return new AppError("unavailable", `the speech server ${host} refuses (${status})${serverErrorDetail(body)}`, {
    retry: status >= 500 ? "retry" : "never",
  })
}

const asksToWait = ({ base }: Server, ms: number, answer: FormAnswer): string => {
  const until = new Date(Math.min(Date.now() + ms, FAR_AWAY)).toISOString().slice(0, 19).replace("T", " ")
  return `the speech server ${new URL(base).host} asks to wait until ${until} UTC (${answer.status}${serverErrorDetail(answer.body)})`
}

const tooSlow = ({ base }: Server, ms: number, length_s: number): AppError =>
  new AppError(
    "unavailable",
    `the speech server ${new URL(base).host} gave no whole answer within ${Math.round(ms / 1000)} s for ${Math.round(length_s)} s of sound: look at its log, or raise SERVICE_SPEECH_TIMEOUT_S`,
    { retry: "retry" },
  )

export type SpeechQuestion = {
  readonly fields: readonly (readonly [string, string])[]
  readonly file: FormFile
  /** Seconds of sound in the file: so long may it take. */
  readonly length_s: number
  /** What is said when the server does not know the address. */
  readonly absent?: string
}

/**
 * Sends sound to the server; a busy or stumbling one (429, 5xx, a broken connection) is asked again, after the wait that
 * it names. A wait of more than a minute is left to the job's queue.
 * @throws AppError `unavailable` with what to check
 */
export const askServer = async (
  server: Server,
  path: string,
  { length_s, absent, ...form }: SpeechQuestion,
  signal: AbortSignal,
): Promise<string> => {
  const limitMs = limitFor(server, length_s)
  for (let asks = 1; ; asks++) {
    let answer: FormAnswer | null = null
    let failure: AppError
    const limit = AbortSignal.timeout(limitMs)
    try {
      const either = AbortSignal.any([signal, limit])
      answer = await postForm(`${server.base}${path}`, { ...form, headers: authorization(server) }, either)
      if (answer.status === 200) return answer.body
      failure = refusal(server, answer, absent)
      if (answer.status !== 429 && answer.status < 500) throw failure
    } catch (error) {
      signal.throwIfAborted()
      if (AppError.is(error)) throw error
      if (limit.aborted) throw tooSlow(server, limitMs, length_s)
      const { host } = new URL(server.base)
      if (error instanceof BodyTooLargeError)
        throw new AppError("unavailable", `the speech server ${host} does not end: ${error.message}`, { cause: error })
      const reason = (error as NodeJS.ErrnoException).code ?? messageOf(error)
      failure = new AppError(
        "unavailable",
        `the speech server ${host} cannot be reached (${reason}): start it, or check SERVICE_SPEECH_URL`,
        { cause: error, retry: "retry" },
      )
    }
    const asked = parseRetryAfterMs(answer?.headers["retry-after"])
    if (answer && asked !== null && asked > MAX_WAIT_MS)
      throw new AppError("unavailable", asksToWait(server, asked, answer), { retry: "later", retryInMs: asked })
    if (asks === MAX_ASKS) throw new AppError("unavailable", failure.message, { retry: "retry" })
    await sleep(asked ?? PAUSE_MS * 2 ** (asks - 1), undefined, { signal })
  }
}
