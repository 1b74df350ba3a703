/** An error response of the service. `detail` is its message; `status` is 0 if the service could not be reached. */
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

/** Returns the `detail` of an error body. A body of another kind, such as a proxy's page, gets a generic message. */
export const detailOf = (status: number, text: string): string => {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === "object" && body !== null && "detail" in body && typeof body.detail === "string")
      return body.detail
  } catch {
    // Not JSON.
  }
  return `The service answered with status ${status} and no error message.`
}
