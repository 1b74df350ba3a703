import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { createUncheckedClient } from "./unchecked.ts"

const guide = readFileSync(new URL("../../../docs/sdk.md", import.meta.url), "utf8")
const types = readFileSync(new URL("./types.ts", import.meta.url), "utf8")

describe("docs/sdk.md", () => {
  const named = (heading: string): string[] => {
    const section = guide.slice(guide.indexOf(`**${heading}.**`)).split(/\n\*\*/)[0]!
    const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| About"))
    return rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map((found) => found[1]!)).sort()
  }

  it("names every method of the client", () => {
    expect(named("Methods")).toEqual(Object.keys(createUncheckedClient()).sort())
  })

  it("names every exported type", () => {
    const lists = [...types.matchAll(/^export type \{([^}]+)\}/gm)].flatMap((found) => found[1]!.split(","))
    const own = [...types.matchAll(/^export type (\w+)/gm)].map((found) => found[1]!)
    const exported = [...lists.map((name) => name.trim()).filter(Boolean), ...own]
    expect(named("Types")).toEqual(exported.sort())
  })
})
