import { messageOf } from "#lib/domain/errors.ts"
import { type Postgres, startPostgres } from "../../fixtures/postgres.ts"
import { type RabbitMq, startRabbitMq } from "../../fixtures/rabbitmq.ts"
import { bundlePrograms } from "./bundle.ts"
import { namesOf, type Scenario, type Server, type Setup } from "./scenario.ts"

export type Result = {
  readonly scenario: Scenario
  readonly setup: Setup
  readonly seen: string
  readonly failures: readonly string[]
  readonly seconds: number
}

/** Numbers of the command line, by name. */
export type ScenarioOptions = Readonly<Record<string, number>>

/** Runs a scenario on one store and broker. Errors become failures of the result. */
export const runScenario = async (
  scenario: Scenario,
  p: {
    setup: Setup
    rabbit: RabbitMq | null
    postgres: Postgres | null
    short: boolean
    options?: ScenarioOptions
    endpoints?: readonly string[]
  },
): Promise<Result> => {
  const failures: string[] = []
  const from = Date.now()
  let seen = ""
  try {
    seen = await scenario.run({
      setup: p.setup,
      rabbit: p.rabbit,
      postgres: p.postgres,
      size: (full, short) => (p.short ? short : full),
      isShort: p.short,
      option: (name, byDefault) => p.options?.[name] ?? byDefault,
      endpoints: p.endpoints ?? [],
      check: (what, ok, found) => {
        if (!ok) failures.push(found === undefined ? what : `${what}: ${String(found)}`)
      },
    })
  } catch (error) {
    failures.push(messageOf(error))
  }
  return { scenario, setup: p.setup, seen, failures, seconds: (Date.now() - from) / 1000 }
}

/** Runs scenarios in order on each of their stores and brokers, each time with new servers. */
export const runScenarios = async (
  scenarios: readonly Scenario[],
  p: {
    short?: boolean
    options?: ScenarioOptions
    endpoints?: readonly string[]
    say: (line: string) => void
    ended?: (result: Result) => void
  },
): Promise<Result[]> => {
  const { short = false, options = {}, endpoints = [], say, ended } = p
  await bundlePrograms()
  const results: Result[] = []
  for (const scenario of scenarios)
    for (const setup of scenario.setups) {
      const isNeeded = (server: Server) =>
        Object.values(setup).includes(server) && !scenario.startsItself?.includes(server)
      const rabbit = isNeeded("rabbitmq") ? await startRabbitMq() : null
      const postgres = isNeeded("postgres") ? await startPostgres() : null
      try {
        const result = await runScenario(scenario, { setup, rabbit, postgres, short, options, endpoints })
        results.push(result)
        ended?.(result)
        const { seen, failures, seconds } = result
        const verdict = failures.length === 0 ? "ok" : `FAILED (${failures.join("; ")})`
        say(`${scenario.id} ${namesOf(setup).join(", ")} ${seconds.toFixed(1)} s ${verdict}\n   ${seen}`)
      } finally {
        await rabbit?.close()
        await postgres?.close()
      }
    }
  return results
}
