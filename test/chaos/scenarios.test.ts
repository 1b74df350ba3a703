import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type RabbitMq, startRabbitMq } from "../fixtures/rabbitmq.ts"
import { bundlePrograms } from "./harness/bundle.ts"
import { runScenario } from "./harness/runner.ts"
import { SCENARIOS } from "./scenarios/index.ts"

/** The scenarios that also run in `npm test`: with small numbers, and without root. */
const SHORT: Readonly<Record<string, readonly ("embedded" | "rabbitmq")[]>> = {
  R1: ["embedded"],
  R5: ["rabbitmq"],
  R7: ["rabbitmq"],
  R8: ["embedded"],
  R9: ["embedded"],
  R10: ["rabbitmq"],
  R11: ["rabbitmq"],
  R24: ["embedded"],
  R27: ["embedded"],
  W: ["rabbitmq"],
  HOSTILE: ["embedded"],
}

describe("chaos scenarios with small numbers", () => {
  let rabbit: RabbitMq
  beforeAll(async () => {
    await bundlePrograms()
    rabbit = await startRabbitMq()
  })
  afterAll(() => rabbit.close())

  for (const scenario of SCENARIOS)
    for (const broker of SHORT[scenario.id] ?? [])
      it(`${scenario.id} on ${broker}: ${scenario.title}`, async () => {
        const result = await runScenario(scenario, {
          broker,
          rabbit: broker === "rabbitmq" ? rabbit : null,
          short: true,
        })
        expect(result.failures).toEqual([])
      })
})
