import { describe, expect, it } from "vitest"
import { findLinks } from "./received-share.ts"

describe("findLinks", () => {
  it("finds links in titles and texts, once each and without the mark that ends a sentence", () => {
    expect(findLinks("A talk\nLook (https://example.com/a?b=1). https://example.com/a?b=1!\nhttp://host/x")).toEqual([
      "https://example.com/a?b=1",
      "http://host/x",
    ])
    expect(findLinks("nothing here")).toEqual([])
  })
})
