import { describe, expect, it } from "vitest"
import * as z from "zod"
import { formatIssue } from "./validation-messages.ts"

const text = (schema: z.ZodType, value: unknown) => formatIssue(schema.safeParse(value).error!.issues[0]!)

describe("formatIssue", () => {
  it("describes validation errors in words that follow the name of the field", () => {
    expect(text(z.string().min(1), "")).toBe("must not be empty")
    expect(text(z.string().max(3), "abcd")).toBe("must have at most 3 characters")
    expect(text(z.coerce.number(), "abc")).toBe("must be a number")
    expect(text(z.int().min(1), 0)).toBe("must be at least 1")
    expect(text(z.array(z.string()).max(1), ["a", "b"])).toBe("must have at most 1 entry")
    expect(text(z.enum(["a", "b"]), "c")).toBe("must be one of a, b")
    expect(text(z.object({ a: z.string() }), {})).toBe("is missing")
    expect(text(z.array(z.string()).min(2), [])).toBe("must have at least 2 entries")
    expect(text(z.string().max(1), "ab")).toBe("must have at most 1 character")
    const kinds = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("text") }),
      z.object({ kind: z.literal("merge") }),
    ])
    expect(text(kinds, { kind: "x" })).toBe("must be one of text, merge")
    expect(text(z.union([z.string(), z.int()]), {})).toBe("must be text or a number")
    expect(text(z.union([z.string(), z.int()], { error: "must be a date" }), {})).toBe("must be a date")
    expect(
      text(
        z.string().refine(() => false, "must come after the previous one"),
        "x",
      ),
    ).toBe("must come after the previous one")
  })
})
