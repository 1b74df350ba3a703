import { messageOf } from "#lib/domain/errors.ts"
import { type Postgres, startPostgres } from "../../fixtures/postgres.ts"
import { type RabbitMq, startRabbitMq } from "../../fixtures/rabbitmq.ts"
import { bundlePrograms } from "./bundle.ts"
import type { BrokerName, Scenario } from "./scenario.ts"

export type Result = {
  readonly scenario: Scenario
  readonly broker: BrokerName
  readonly seen: string
  readonly failures: readonly string[]
  readonly seconds: number
}

/** Numbers of the command line, by name. */
export type ScenarioOptions = Readonly<Record<string, number>>

/** Runs a scenario with one broker. Errors become failures of the result. */
export const runScenario = async (
  scenario: Scenario,
  p: {
    broker: BrokerName
    rabbit: RabbitMq | null
    postgres: Postgres | null
    short: boolean
    options?: ScenarioOptions
  },
): Promise<Result> => {
  const failures: string[] = []
  const from = Date.now()
  let seen = ""
  try {
    seen = await scenario.run({
      broker: p.broker,
      rabbit: p.rabbit,
      postgres: p.postgres,
      size: (full, short) => (p.short ? short : full),
      isShort: p.short,
      option: (name, byDefault) => p.options?.[name] ?? byDefault,
      check: (what, ok, found) => {
        if (!ok) failures.push(found === undefined ? what : `${what}: ${String(found)}`)
      },
    })
  } catch (error) {
    failures.push(messageOf(error))
  }
  return { scenario, broker: p.broker, seen, failures, seconds: (Date.now() - from) / 1000 }
}

/** Runs scenarios in order with each of their brokers, each time with a new server. */
export const runScenarios = async (
  scenarios: readonly Scenario[],
  p: { short?: boolean; options?: ScenarioOptions; say: (line: string) => void; ended?: (result: Result) => void },
): Promise<Result[]> => {
  const { short = false, options = {}, say, ended } = p
  await bundlePrograms()
  const results: Result[] = []
  for (const scenario of scenarios)
    for (const broker of scenario.brokers) {
      const rabbit = broker === "rabbitmq" && !scenario.ownBroker ? await startRabbitMq() : null
      const postgres = broker === "postgres" ? await startPostgres() : null
      try {
        const result = await runScenario(scenario, { broker, rabbit, postgres, short, options })
        results.push(result)
        ended?.(result)
        const { seen, failures, seconds } = result
        const verdict = failures.length === 0 ? "ok" : `FAILED (${failures.join("; ")})`
        say(`${scenario.id} ${broker} ${seconds.toFixed(1)} s ${verdict}\n   ${seen}`)
      } finally {
        await rabbit?.close()
        await postgres?.close()
      }
    }
  return results
}
