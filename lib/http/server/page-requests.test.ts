import { describe, expect, it } from "vitest"
import { markPageRequest } from "./page-requests.ts"

const isMarked = (method: string, headers: Record<string, string>): boolean => {
  const request = { method, headers }
  markPageRequest(request)
  return request.headers["x-earmark-page"] === "1"
}
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

describe("a request for a page", () => {
  it("prefers HTML to JSON, or asks for React's format", () => {
    expect(isMarked("GET", { accept: BROWSER })).toBe(true)
    expect(isMarked("HEAD", { accept: BROWSER })).toBe(true)
    expect(isMarked("GET", { accept: "*/*", rsc: "1" })).toBe(true)
  })
  it("is not one of a program, or one that changes something", () => {
    expect(isMarked("GET", {})).toBe(false)
    expect(isMarked("GET", { accept: "*/*" })).toBe(false)
    expect(isMarked("GET", { accept: "application/json, text/html;q=0.5" })).toBe(false)
    expect(isMarked("POST", { accept: BROWSER })).toBe(false)
  })
  it("is not marked by the client itself", () => {
    expect(isMarked("GET", { accept: "*/*", "x-earmark-page": "1" })).toBe(false)
  })
})
