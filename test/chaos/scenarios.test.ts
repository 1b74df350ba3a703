import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Postgres, startPostgres } from "../fixtures/postgres.ts"
import { type RabbitMq, startRabbitMq } from "../fixtures/rabbitmq.ts"
import { bundlePrograms } from "./harness/bundle.ts"
import { runScenario } from "./harness/runner.ts"
import { namesOf, POSTGRES, type Setup, SQLITE, SQLITE_RABBITMQ } from "./harness/scenario.ts"
import { SCENARIOS } from "./scenarios/index.ts"

/**
 * The scenarios that also run in `npm test`, with small numbers and without root. The hosted CI runs all of them; the faults
 * of the others are also forced by tests of the queue, the stores and the document parser.
 */
const SHORT: Readonly<Record<string, readonly Setup[]>> = {
  R1: [SQLITE],
  R7: [SQLITE_RABBITMQ],
  R9: [SQLITE],
  R10: [SQLITE_RABBITMQ],
  R11: [SQLITE_RABBITMQ],
  R24: [SQLITE],
  R27: [SQLITE],
  R30: [SQLITE],
  R34: [POSTGRES],
  W: [SQLITE_RABBITMQ],
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
    for (const setup of SHORT[scenario.id] ?? [])
      it(`${scenario.id} on ${namesOf(setup).join(", ")}: ${scenario.title}`, async () => {
        const result = await runScenario(scenario, {
          setup,
          rabbit: setup.broker === "rabbitmq" ? rabbit : null,
          postgres: setup.store === "postgres" ? postgres : null,
          short: true,
        })
        expect(result.failures).toEqual([])
      })
})
