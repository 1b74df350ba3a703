import type { z } from "zod"

type Issue = z.core.$ZodIssue

const TYPE_NAMES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
}

const typeName = (name: string): string => TYPE_NAMES[name] ?? name

const formatBound = (origin: string, bound: string, limit: number | bigint): string => {
  const isOne = Number(limit) === 1
  if (origin === "string")
    return bound === "at least" && isOne
      ? "must not be empty"
      : `must have ${bound} ${limit} character${isOne ? "" : "s"}`
  if (origin === "array") return `must have ${bound} ${limit} ${isOne ? "entry" : "entries"}`
  return `must be ${bound} ${limit}`
}

const formatChoices = (values: readonly unknown[]): string => `must be one of ${values.map(String).join(", ")}`

/** Names the types that a value may have, or for objects of several kinds the kinds. */
const formatUnion = ({ errors, ...issue }: Extract<Issue, { code: "invalid_union" }>): string => {
  if ("options" in issue && Array.isArray(issue.options)) return formatChoices(issue.options)
  // A schema may set a message.
  if (!issue.message.startsWith("Invalid")) return issue.message
  const types = errors.flatMap(([first]) => (first?.code === "invalid_type" ? [typeName(first.expected)] : []))
  return types.length > 0 ? `must be ${[...new Set(types)].join(" or ")}` : "has a value that is not allowed"
}

/** Describes a validation error. The text follows the name of the field, as in "title must not be empty". */
export const formatIssue = (issue: Issue): string => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.message.endsWith("received undefined")) return "is missing"
      return `must be ${typeName(issue.expected)}`
    case "too_small":
      return formatBound(issue.origin, "at least", issue.minimum)
    case "too_big":
      return formatBound(issue.origin, "at most", issue.maximum)
    case "invalid_value":
      return formatChoices(issue.values)
    case "invalid_union":
      return formatUnion(issue)
    case "invalid_format":
      // Never show a regular expression. A schema may set a message that describes the format.
      if (!issue.message.startsWith("Invalid")) return issue.message
      return `is not a valid ${issue.format === "regex" ? "value" : issue.format}`
    default:
      return issue.message
  }
}
