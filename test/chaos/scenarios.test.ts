import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Postgres, startPostgres } from "../fixtures/postgres.ts"
import { type RabbitMq, startRabbitMq } from "../fixtures/rabbitmq.ts"
import { bundlePrograms } from "./harness/bundle.ts"
import { runScenario } from "./harness/runner.ts"
import type { BrokerName } from "./harness/scenario.ts"
import { SCENARIOS } from "./scenarios/index.ts"

/**
 * The scenarios that also run in `npm test`, with small numbers and without root. The hosted CI runs all of them; the faults
 * of the others are also forced by tests of the queue, the stores and the document parser.
 */
const SHORT: Readonly<Record<string, readonly BrokerName[]>> = {
  R1: ["embedded"],
  R7: ["rabbitmq"],
  R9: ["embedded"],
  R10: ["rabbitmq"],
  R11: ["rabbitmq"],
  R24: ["embedded"],
  R27: ["embedded"],
  R30: ["embedded"],
  R34: ["postgres"],
  W: ["rabbitmq"],
}

describe("chaos scenarios with small numbers", () => {
  let rabbit: RabbitMq
  let postgres: Postgres
  beforeAll(async () => {
    await bundlePrograms()
    ;[rabbit, postgres] = await Promise.all([startRabbitMq(), startPostgres()])
  })
  afterAll(() => Promise.all([rabbit.close(), postgres.close()]))

  for (const scenario of SCENARIOS)
    for (const broker of SHORT[scenario.id] ?? [])
      it(`${scenario.id} on ${broker}: ${scenario.title}`, async () => {
        const result = await runScenario(scenario, {
          broker,
          rabbit: broker === "rabbitmq" ? rabbit : null,
          postgres: broker === "postgres" ? postgres : null,
          short: true,
        })
        expect(result.failures).toEqual([])
      })
})
