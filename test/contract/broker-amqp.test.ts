import { afterAll, beforeAll } from "vitest"
import { testBroker } from "#lib/queue/testing/broker.testsuite.ts"
import { emptyBroker, openConnected } from "../fixtures/amqp-broker.ts"
import { type RabbitMq, startRabbitMq } from "../fixtures/rabbitmq.ts"

let rabbit: RabbitMq
beforeAll(async () => {
  rabbit = await startRabbitMq()
})
afterAll(() => rabbit.close())

testBroker("RabbitMQ", async () => {
  await emptyBroker(rabbit.url)
  return {
    open: () => openConnected(rabbit.url),
    // A channel that closes gives its messages back at once.
    redeliveryMs: 500,
    teardown: async () => {},
  }
})
