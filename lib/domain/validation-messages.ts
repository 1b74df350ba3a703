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
  if (origin === "string")
    return bound === "at least" && limit === 1 ? "must not be empty" : `must have ${bound} ${limit} characters`
  if (origin === "array") return `must have ${bound} ${limit} entries`
  return `must be ${bound} ${limit}`
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
      return `must be one of ${issue.values.map(String).join(", ")}`
    case "invalid_format":
      // Never show a regular expression. A schema may set a message that describes the format.
      if (!issue.message.startsWith("Invalid")) return issue.message
      return `is not a valid ${issue.format === "regex" ? "value" : issue.format}`
    default:
      return issue.message
  }
}
