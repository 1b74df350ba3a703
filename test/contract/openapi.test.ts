import { describe, expect, it } from "vitest"
import type { Endpoint } from "#lib/api/endpoint.ts"
import { ENDPOINTS, type EndpointId } from "#lib/api/table.ts"
import { METHODS } from "#lib/http/responses/error-response.ts"
import { loadRoutes } from "#test/fixtures/routes.ts"

/** Returns true if a function serves the endpoint of its name. HEAD of most paths is served by the function of GET. */
const servesEndpoint = (method: string, name: string): boolean =>
  name in ENDPOINTS && (method !== "HEAD" || ENDPOINTS[name as EndpointId].method === "HEAD")

describe("the route files", () => {
  it("serve exactly the endpoints of the table", async () => {
    const declared = Object.entries<Endpoint>(ENDPOINTS).map(([id, { method, path }]) => `${method} ${path}: ${id}`)
    const served = (await loadRoutes()).flatMap(({ path, module }) =>
      METHODS.filter((method) => servesEndpoint(method, module[method]!.name)).map(
        (method) => `${method} ${path.replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}")}: ${module[method]!.name}`,
      ),
    )
    expect(served.toSorted()).toEqual(declared.toSorted())
  })
  it("list their methods in Allow", async () => {
    for (const { path, module } of await loadRoutes()) {
      const response = await module.OPTIONS!(new Request("http://localhost/"), { params: Promise.resolve({}) })
      const served = METHODS.filter((method) => method === "OPTIONS" || module[method]!.name in ENDPOINTS)
      expect(response.headers.get("allow"), path).toBe(served.join(", "))
    }
  })
  it("export a function for every HTTP method", async () => {
    for (const { path, module } of await loadRoutes())
      expect(Object.keys(module).toSorted(), path).toEqual([...METHODS].toSorted())
  })
})
