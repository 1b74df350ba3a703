import { describe, expect, it } from "vitest"
import * as z from "zod"
import { describeIssues, parseInput } from "./parse-input.ts"
import { formatIssue } from "./validation-messages.ts"

const errorOf = (schema: z.ZodType, value: unknown) => {
  try {
    parseInput(schema, value, "body")
  } catch (error) {
    return error as { message: string; code: string; errors: { loc: unknown[]; msg: string; type: string }[] }
  }
  throw new Error("the input is valid")
}

describe("parseInput", () => {
  const schema = z.object({ edits: z.array(z.object({ at: z.number() })), name: z.string().min(1) })

  it("names the first invalid field, and lists all of them", () => {
    expect(parseInput(schema, { edits: [], name: "a", more: 1 }, "body")).toEqual({ edits: [], name: "a" })
    const error = errorOf(schema, { edits: [{ at: 1 }, { at: "x" }], name: "" })
    expect(error).toMatchObject({
      code: "invalid",
      message: "edits[1].at: must be a number (and 1 more)",
      errors: [
        { loc: ["body", "edits", 1, "at"], msg: "must be a number", type: "invalid_type" },
        { loc: ["body", "name"], msg: "must not be empty", type: "too_small" },
      ],
    })
    expect(errorOf(schema, { edits: [] }).message).toBe("name: is missing")
    expect(errorOf(schema, []).message).toBe("the body: must be an object")
    expect(errorOf(z.array(z.number()), ["x"]).message).toBe("[0]: must be a number")
    expect(describeIssues([], "the body")).toBe("the body: invalid")
  })

  it("lists twenty fields at most", () => {
    const error = errorOf(z.array(z.number()), new Array(25).fill("x"))
    expect([error.errors.length, error.message]).toEqual([20, "[0]: must be a number (and 24 more)"])
  })
})

describe("the message about a value", () => {
  const messageOf = (schema: z.ZodType, value: unknown) => formatIssue(schema.safeParse(value).error!.issues[0]!)

  it.each([
    [z.string(), 1, "must be text"],
    [z.int(), "x", "must be a number"],
    [z.int(), 1.5, "must be a whole number"],
    [z.boolean(), 1, "must be true or false"],
    [z.array(z.string()), 1, "must be a list"],
    [z.date(), 1, "must be date"],
    [z.string().min(2), "a", "must have at least 2 characters"],
    [z.string().max(2), "abc", "must have at most 2 characters"],
    [z.array(z.string()).min(1), [], "must have at least 1 entry"],
    [z.number().max(3), 4, "must be at most 3"],
    [z.number().min(3), 1, "must be at least 3"],
    [z.enum(["a", "b"]), "c", "must be one of a, b"],
    [z.string().regex(/^x$/), "a", "is not a valid value"],
    [z.url(), "a", "is not a valid url"],
    [z.string().regex(/^x$/, "must be an x"), "a", "must be an x"],
    [z.string().refine(() => false, "no"), "a", "no"],
  ])("of %o for %j is %j", (schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message)
  })
})
