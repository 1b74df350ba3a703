import { setTimeout as sleep } from "node:timers/promises"
import { openConnected } from "../../fixtures/amqp-broker.ts"
import { withDeployment } from "../harness/deployment.ts"
import { type Scenario, SQLITE_RABBITMQ } from "../harness/scenario.ts"

export const r05: Scenario = {
  id: "R5",
  title: "SIGKILL of RabbitMQ five times during 500 publishes",
  setups: [SQLITE_RABBITMQ],
  run: (c) =>
    withDeployment(c, {}, async () => {
      const rabbit = c.rabbit!
      const broker = await openConnected(rabbit.url)
      const [messages, kills] = [c.size(500, 50), c.size(5, 1)]
      const confirmed = new Set<string>()
      const reported = new Set<string>()
      let sent = 0
      const publishAll = async (): Promise<void> => {
        while (sent < messages) {
          const id = `message-${sent++}`
          try {
            await broker.publish([{ stage: "l1", id, body: "{}" }])
            confirmed.add(id)
          } catch {
            reported.add(id)
            await sleep(200)
          }
          await sleep(20)
        }
      }
      const publishing = Promise.all([publishAll(), publishAll(), publishAll(), publishAll()])
      for (let i = 0; i < kills; i++) {
        for (const mark = ((i + 0.5) * messages) / kills; sent < mark; ) await sleep(10)
        await rabbit.kill("SIGKILL")
        await sleep(500)
        await rabbit.start()
      }
      await publishing
      const received = new Set<string>()
      await broker.consume(
        "l1",
        async ({ id }) => {
          received.add(id)
          return "ack"
        },
        { concurrency: 50 },
      )
      const missing = () => [...confirmed].filter((id) => !received.has(id)).length
      for (const deadline = Date.now() + 60_000; missing() > 0 && Date.now() < deadline; ) await sleep(100)
      c.check("every publish is confirmed or reported", confirmed.size + reported.size === messages)
      c.check("nothing confirmed is missing", missing() === 0, missing())
      await broker.close({ drainMs: 2_000 })
      return `${confirmed.size} confirmed, ${reported.size} reported as failed, of the confirmed 0 missing (${received.size} received); ${kills} kills`
    }),
}
