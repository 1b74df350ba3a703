import http from "node:http"
import fc from "fast-check"
import pMap from "p-map"
import { messageOf } from "#lib/domain/errors.ts"
import type { Library } from "../random/library.ts"
import { findProblem } from "./check-answer.ts"
import { OPERATIONS, type Operation } from "./openapi.ts"
import { requestsTo } from "./requests.ts"
import { send } from "./send.ts"
import { createTarget } from "./target.ts"

/** What generated requests to one operation showed. */
export type OperationReport = {
  readonly operation: Operation
  /** Answers by class of status: 2xx, 3xx, 4xx, 5xx. Only declared 503 and 507 are in 5xx. */
  readonly counts: Readonly<Record<string, number>>
  readonly slowestMs: number
  /** The smallest request that got a wrong answer, and what is wrong with it. */
  readonly failure: string | null
}

/** How many operations are tested at a time: some wait for other programs. */
const CONCURRENCY = 6

const formatReport = ({ operation: { method, path }, counts, slowestMs, failure }: OperationReport): string => {
  const statuses = Object.entries(counts)
    .sort()
    .map(([name, n]) => `${name}: ${n}`)
  return `${method} ${path} · ${statuses.join(", ")} · slowest ${Math.round(slowestMs)} ms${failure ? ` · ${failure}` : ""}`
}

/** Returns true for an endpoint at one of these paths or below it, or with one of these methods and paths. */
const isNamed = ({ method, path }: Operation, names: readonly string[]): boolean =>
  names.some((name) => [path, `${method} ${path}`.toLowerCase()].includes(name) || path.startsWith(`${name}/`))

/**
 * Sends generated requests to every operation of the API and compares each answer with the OpenAPI document.
 * @param p `runs` is the number of requests to each operation; `endpoints` are the paths or methods and paths to test, all if there are none
 */
export const runRequests = async (
  { url, library }: { readonly url: string; readonly library: Library },
  p: {
    readonly runs: number
    readonly endpoints?: readonly string[]
    readonly seed?: number
    readonly say?: (line: string) => void
  },
): Promise<OperationReport[]> => {
  const target = createTarget(library)
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  await target.prepare()
  const test = async (operation: Operation): Promise<OperationReport> => {
    const counts: Record<string, number> = {}
    let slowestMs = 0
    const property = fc.asyncProperty(requestsTo(operation, target.specialsOf(operation)), async (request) => {
      await target.prepare()
      const start = performance.now()
      const answer = await send(url, agent, request)
      slowestMs = Math.max(slowestMs, performance.now() - start)
      const name = `${String(answer.status)[0]}xx`
      counts[name] = (counts[name] ?? 0) + 1
      const problem = findProblem(operation, request.path, answer)
      if (problem !== null) throw new Error(problem)
    })
    const found = await fc.check(property, { numRuns: p.runs, ...(p.seed !== undefined && { seed: p.seed }) })
    const [request] = found.counterexample ?? []
    const failure = found.failed
      ? `seed ${found.seed}: ${messageOf(found.errorInstance)} after ${fc.stringify(request).slice(0, 1000)}`
      : null
    const report = { operation, counts: { ...counts }, slowestMs, failure }
    p.say?.(formatReport(report))
    return report
  }
  const { endpoints = [] } = p
  const chosen = OPERATIONS.filter((operation) => endpoints.length === 0 || isNamed(operation, endpoints))
  const reports = await pMap(chosen, test, { concurrency: CONCURRENCY })
  agent.destroy()
  return reports
}
