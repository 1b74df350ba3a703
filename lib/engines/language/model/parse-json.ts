/** Parses text as JSON. Returns undefined for other text. */
const tryParse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns the first object in braces, with balanced braces outside of strings, or null. */
const findObject = (text: string): string | null => {
  const start = text.indexOf("{")
  if (start < 0) return null
  let depth = 0
  let inString = false
  for (let i = start; i < text.length; i++) {
    const character = text[i]
    if (inString) {
      if (character === "\\") i++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === "{") depth++
    else if (character === "}" && --depth === 0) return text.slice(start, i + 1)
  }
  return null
}

/**
 * Parses the JSON object in an answer. A server without structured output leaves the form to the model, which may write a
 * sentence before the object or a fence around it. Returns undefined if there is none.
 */
export const parseJsonAnswer = (answer: string): unknown => {
  const whole = tryParse(answer)
  if (whole !== undefined) return whole
  const object = findObject(answer)
  return object === null ? undefined : tryParse(object)
}
