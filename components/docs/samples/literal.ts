type Style = {
  readonly indent: string
  /** An object or list that is longer than this gets a line for each of its parts. */
  readonly maxChars: number
  readonly scalar: (value: string | number | boolean | null) => string
  readonly key: (name: string) => string
}

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ["string", "number", "boolean"].includes(typeof value)

/** JavaScript, with keys without quotes where they need none. */
export const JAVASCRIPT: Style = {
  indent: "  ",
  maxChars: 44,
  scalar: (value) => JSON.stringify(value),
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
}

/** Python reads strings of JSON as its own. */
export const PYTHON: Style = {
  indent: "    ",
  maxChars: 60,
  scalar: (value) =>
    value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value),
  key: (name) => JSON.stringify(name),
}

/** Writes a JSON value as an expression, on one line if it fits. */
export const toLiteral = (value: unknown, style: Style, indent = ""): string => {
  if (isScalar(value)) return style.scalar(value)
  const inner = `${indent}${style.indent}`
  const isList = Array.isArray(value)
  const write = (nested: string): string[] =>
    isList
      ? value.map((entry) => toLiteral(entry, style, nested))
      : Object.entries(value as object).map(([name, entry]) => `${style.key(name)}: ${toLiteral(entry, style, nested)}`)
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  const parts = write(inner)
  if (parts.length === 0) return `${open}${close}`
  const padding = isList || style === PYTHON ? "" : " "
  const line = `${open}${padding}${parts.join(", ")}${padding}${close}`
  if (!line.includes("\n") && line.length + indent.length <= style.maxChars) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`
}
