/** The maximum length of a quoted message, in characters. */
const MAX_CHARACTERS = 300

/** Returns the error message in the body of a response, in any of the forms that servers use, or null if there is none. */
export const parseServerMessage = (body: string): string | null => {
  try {
    const { error, detail, message } = JSON.parse(body) as Record<string, unknown>
    const nested = (error as { message?: unknown } | null)?.message
    const text = [nested, error, detail, message].find((t) => typeof t === "string" && t.trim() !== "")
    if (typeof text === "string") return text.trim().slice(0, MAX_CHARACTERS)
    // FastAPI describes invalid fields in a list.
    return Array.isArray(detail) ? JSON.stringify(detail).slice(0, MAX_CHARACTERS) : null
  } catch {
    // Not JSON, for example the error page of a proxy.
    return null
  }
}
