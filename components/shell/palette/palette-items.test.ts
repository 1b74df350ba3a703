import { describe, expect, it } from "vitest"
import { buildPaletteItems, type PaletteAction } from "./palette-items.ts"

const actions: readonly PaletteAction[] = [{ icon: "plus", text: "Add a recording", href: "/#add" }]
const recent = [{ id: "c1", title: "Keynote" }]
const topic = (clip_id: string, number: string, title: string, start_s: number) => ({
  clip_id,
  clip_title: "Talk",
  title,
  text: title,
  marks: [],
  number,
  start_s,
  region: 3,
})
const found = {
  titles: [],
  topics: [
    topic("a", "1.1", "Remote control", 10),
    topic("a", "1.4", "Remote Control", 90),
    topic("b", "1.1", "Remote control", 5),
  ],
  words: [],
  notes: [],
}
const build = (query: string) => buildPaletteItems({ query, found: query ? found : undefined, recent, actions })

describe("the palette", () => {
  it("offers recent recordings first, then pages and actions", () => {
    const groups = build("").map(({ group }) => group)
    expect([...new Set(groups)]).toEqual(["Recent", "Go to", "Actions"])
    expect(build("")[0]).toMatchObject({ text: "Keynote", href: "/library/c1" })
  })
  it("lists each topic of a recording once, with its time and the color of its region, and asks last", () => {
    const items = build("remote")
    expect(items.map(({ hint, text }) => hint ?? text)).toEqual(["Talk · 0:10", "Talk · 0:05", "Ask “remote”"])
    expect(items[0]!.color).toBe("oklch(var(--shade-first) 310)")
    expect(items.at(-1)).toMatchObject({ href: "/ask?q=remote" })
  })
  it("finds actions by their name", () => {
    expect(build("add").find(({ group }) => group === "Actions")?.text).toBe("Add a recording")
  })
})
