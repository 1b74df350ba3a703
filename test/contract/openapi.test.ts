import { describe, expect, it } from "vitest"
import { OPERATIONS } from "#lib/api/openapi/operations.ts"
import { loadRoutes } from "#test/fixtures/routes.ts"

const described = Object.entries(OPERATIONS).map(([path, methods]) => [path, Object.keys(methods).sort()])

describe("the description of the interface", () => {
  it("has just the paths and methods that the routes have", async () => {
    const served = await Promise.all(
      (await loadRoutes()).map(async ({ path, module }) => {
        const answer = await module.OPTIONS!(new Request("http://localhost/"), { params: Promise.resolve({}) })
        const own = (answer.headers.get("allow") ?? "").split(", ").filter((m) => !["HEAD", "OPTIONS"].includes(m))
        return [path.replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}"), own.map((m) => m.toLowerCase()).sort()]
      }),
    )
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(described))
  })
  it("is kept in handlers of at most 15 lines that answer every method", async () => {
    for (const { path, module } of await loadRoutes())
      expect(Object.keys(module).sort(), path).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"])
  })
})
