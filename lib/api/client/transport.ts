import type { Answers } from "./checked.ts"
import { detailOf, EarmarkError } from "./errors.ts"

export type ClientOptions = {
  /** Address of the service; "" is the page's own origin. */
  readonly baseUrl?: string | undefined
  /** SERVICE_API_TOKEN of the service, where it has one. */
  readonly token?: string | undefined
  readonly fetch?: typeof fetch
}

export type Call = {
  readonly method?: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** What becomes of an answer's body before a caller gets it. @throws EarmarkError for one that breaks its contract */
export type Check = <K extends keyof Answers>(name: K, status: number, body: unknown) => Answers[K]

export type Transport = {
  readonly url: (path: string, query?: Call["query"]) => string
  readonly headers: Readonly<Record<string, string>>
  /** The answer, whatever its status. @throws EarmarkError with status 0 when the service cannot be reached. */
  readonly send: (path: string, call?: Call) => Promise<Response>
  /** The answer's body as it is. @throws EarmarkError for every status above 399. */
  readonly text: (path: string, call?: Call) => Promise<string>
  /** The answer's body as the contract has it. @throws EarmarkError for every status above 399. */
  readonly json: <K extends keyof Answers>(name: K, path: string, call?: Call) => Promise<Answers[K]>
  /** An answer of a status and a body. @throws EarmarkError for an error status or a body that is not that answer */
  readonly read: <K extends keyof Answers>(name: K, status: number, text: string) => Answers[K]
  readonly check: Check
}

export const createTransport = (options: ClientOptions, check: Check): Transport => {
  const base = (options.baseUrl ?? "").replace(/\/+$/, "")
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }
  const url: Transport["url"] = (path, query = {}) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
    return `${base}${path}${search ? `?${search}` : ""}`
  }
  const send: Transport["send"] = async (path, call = {}) => {
    try {
      return await (options.fetch ?? fetch)(url(path, call.query), {
        method: call.method ?? "GET",
        headers: { accept: "application/json", ...headers, ...call.headers },
        ...(call.body === undefined ? {} : { body: call.body }),
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      })
    } catch (cause) {
      if (call.signal?.aborted) throw cause
      throw new EarmarkError(0, `The service at ${base || "this address"} cannot be reached: is it running?`, { cause })
    }
  }
  const read: Transport["read"] = (name, status, text) => {
    if (status >= 400 || status < 200) throw new EarmarkError(status, detailOf(status, text))
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch (cause) {
      throw new EarmarkError(status, "The service's answer is not JSON: is this the right address?", { cause })
    }
    return check(name, status, body)
  }
  const json: Transport["json"] = async (name, path, call) => {
    const response = await send(path, call)
    return read(name, response.status, await response.text())
  }
  const text: Transport["text"] = async (path, call) => {
    const response = await send(path, call)
    const body = await response.text()
    if (!response.ok) throw new EarmarkError(response.status, detailOf(response.status, body))
    return body
  }
  return { url, headers, send, json, text, read, check }
}
