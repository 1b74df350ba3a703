import { openHttpLibrary } from "../../fixtures/http-library.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"
import { runRequests } from "../requests/run.ts"

export const requests: Scenario = {
  id: "REQUESTS",
  title:
    "valid, nearly valid and hostile requests to each endpoint; every answer is compared with the OpenAPI document",
  setups: [SQLITE],
  run: async (c) => {
    const runs = c.option("runs", c.size(10_000, 20))
    const service = await openHttpLibrary()
    try {
      const reports = await runRequests(service, { runs, endpoints: c.endpoints, say: console.log })
      for (const { operation, failure } of reports) c.check(`${operation.method} ${operation.path}`, !failure, failure)
      const sum = (name: string) => reports.reduce((total, { counts }) => total + (counts[name] ?? 0), 0)
      const slowest = Math.max(...reports.map(({ slowestMs }) => slowestMs))
      const classes = ["2xx", "3xx", "4xx", "5xx"].map((name) => `${name}: ${sum(name)}`).join(", ")
      return `${reports.length} endpoints, ${runs} requests to each; ${classes} (declared 503 only); slowest answer ${Math.round(slowest)} ms`
    } finally {
      await service.close()
    }
  },
}
