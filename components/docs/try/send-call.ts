import { type ApiCall, queryString, toFieldText } from "../filled-form.ts"

/** What the service answered. It is complete when `timeMs` is set. */
export type Answer = {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly type: string
  /** The beginning of the body, if it is text. */
  readonly text: string
  /** The bytes that have arrived. */
  readonly size: number
  /** The body, if it is not text. */
  readonly blob: Blob | null
  readonly isCut: boolean
  /** Milliseconds until the headers arrived. */
  readonly timeMs: number
  readonly isComplete: boolean
}

/** Longer answers are cut: a browser takes seconds to lay out more text. */
export const MAX_SHOWN_CHARS = 200_000

const isText = (type: string): boolean => /^text\/|json|xml|x-subrip|javascript/.test(type)

const isStream = (type: string): boolean => /event-stream|ndjson/.test(type)

const formOf = (fields: Readonly<Record<string, unknown>>, file: File | null): FormData => {
  const form = new FormData()
  // The service reads the form as a stream, so the file comes last.
  for (const [name, value] of Object.entries(fields)) form.set(name, toFieldText(value))
  if (file) form.set("file", file)
  return form
}

const bodyOf = ({ body }: ApiCall, file: File | null): BodyInit | null => {
  if (body.kind === "json") return JSON.stringify(body.value)
  if (body.kind === "form") return formOf(body.fields, file)
  return body.kind === "file" ? file : null
}

const headersOf = ({ headers, body }: ApiCall, token: string): Record<string, string> => ({
  ...Object.fromEntries(headers.map(({ name, value }) => [name, String(value)])),
  ...(body.kind === "json" && { "Content-Type": "application/json" }),
  ...(body.kind === "file" && { "Content-Type": body.type }),
  ...(token !== "" && { Authorization: `Bearer ${token}` }),
})

/** Indents a complete JSON text. */
const format = (type: string, text: string): string => {
  if (!/[/+]json/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const cut = (text: string): Pick<Answer, "text" | "isCut"> => ({
  text: text.slice(0, MAX_SHOWN_CHARS),
  isCut: text.length > MAX_SHOWN_CHARS,
})

/** Yields the answer as its text arrives. Stops reading after what can be shown. */
async function* readStream(response: Response, answer: Answer): AsyncGenerator<Answer> {
  const decoder = new TextDecoder()
  const reader = response.body!.getReader()
  let [text, size] = ["", 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    text += decoder.decode(value, { stream: true })
    yield { ...answer, ...cut(text), size }
    if (text.length <= MAX_SHOWN_CHARS) continue
    await reader.cancel()
    break
  }
  yield { ...answer, ...cut(text), size, isComplete: true }
}

/**
 * Sends a request to the service and yields its answer: once it begins, and again as more of it arrives. With a token,
 * the session of the page is not used.
 */
export async function* sendCall(
  call: ApiCall,
  { token, file, signal }: { readonly token: string; readonly file: File | null; readonly signal: AbortSignal },
): AsyncGenerator<Answer> {
  const started = performance.now()
  const response = await fetch(`${call.path}${queryString(call)}`, {
    method: call.info.method,
    headers: headersOf(call, token),
    body: bodyOf(call, file),
    credentials: token === "" ? "same-origin" : "omit",
    cache: "no-store",
    signal,
  })
  const type = response.headers.get("content-type") ?? ""
  const answer: Answer = {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    type,
    text: "",
    size: 0,
    blob: null,
    isCut: false,
    timeMs: performance.now() - started,
    isComplete: false,
  }
  yield answer
  if (response.body && isStream(type)) return yield* readStream(response, answer)
  const blob = await response.blob()
  const body = isText(type) ? cut(format(type, await blob.text())) : { blob: blob.size > 0 ? blob : null }
  yield { ...answer, ...body, size: blob.size, isComplete: true }
}
