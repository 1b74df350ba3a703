import type { z } from "zod"

type Issue = z.core.$ZodIssue

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
}

const kind = (name: string): string => KINDS[name] ?? name

const sized = (origin: string, bound: string, limit: number | bigint): string => {
  if (origin === "string")
    return bound === "at least" && limit === 1 ? "must not be empty" : `must have ${bound} ${limit} characters`
  if (origin === "array") return `must have ${bound} ${limit} entries`
  return `must be ${bound} ${limit}`
}

/** What is wrong with a value, in words for whoever gave it; continues a sentence that begins with the value's name. */
export const issueText = (issue: Issue): string => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.message.endsWith("received undefined")) return "is missing"
      return `must be ${kind(issue.expected)}`
    case "too_small":
      return sized(issue.origin, "at least", issue.minimum)
    case "too_big":
      return sized(issue.origin, "at most", issue.maximum)
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`
    case "invalid_format":
      // A pattern says nothing to people; a contract may say in words what it stands for.
      if (!issue.message.startsWith("Invalid")) return issue.message
      return `is not a valid ${issue.format === "regex" ? "value" : issue.format}`
    default:
      return issue.message
  }
}
