/** An answer of the service that is no success. `detail` is its sentence for people; `status` 0: it was not reached. */
export class EarmarkError extends Error {
  readonly status: number
  readonly detail: string

  constructor(status: number, detail: string, options?: { cause?: unknown }) {
    super(detail, options)
    this.name = "EarmarkError"
    this.status = status
    this.detail = detail
  }
}

/** The detail of an error body, or a plain sentence when the body is something else (a proxy's page, nothing). */
export const detailOf = (status: number, text: string): string => {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string")
      return body.detail
  } catch {
    // Not JSON: the sentence below.
  }
  return `The service answered ${status} without saying why.`
}
