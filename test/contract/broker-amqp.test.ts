import { afterAll, beforeAll } from "vitest"
import { testBroker } from "#lib/queue/testing/broker.testsuite.ts"
import { emptyBroker, openConnected } from "../fixtures/amqp-broker.ts"
import { openRabbitMq } from "../fixtures/rabbitmq.ts"

let rabbit: Awaited<ReturnType<typeof openRabbitMq>>
beforeAll(async () => {
  rabbit = await openRabbitMq()
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
