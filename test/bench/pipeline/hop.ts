import { connect } from "amqplib"
import type { Broker } from "#lib/queue/types.ts"
import { openConnected } from "../../fixtures/amqp-broker.ts"
import { median } from "../report.ts"

const BODY = JSON.stringify({
  version: 1,
  job_id: "01980000-0000-7000-8000-000000000000",
  stage: "l1",
  attempt: 1,
  next: [],
})

/** Sends one message back and forth between two queues. */
type PingPong = {
  /** @returns the milliseconds of each hop */
  run(hops: number): Promise<number[]>
  close(): Promise<void>
}

/** Measures the time of each hop. `onMessage` must be called for each message with its queue. */
const createHopTimer = (send: (queue: 0 | 1) => void) => {
  let times: number[] = []
  let left = 0
  let sentAt = 0
  let finish: (times: number[]) => void = () => {}
  return {
    onMessage: (queue: 0 | 1): void => {
      const now = performance.now()
      times.push(now - sentAt)
      sentAt = now
      if (--left > 0) send(queue === 0 ? 1 : 0)
      else finish(times)
    },
    run: (hops: number): Promise<number[]> =>
      new Promise((resolve) => {
        times = []
        left = hops
        finish = resolve
        sentAt = performance.now()
        send(0)
      }),
  }
}

/**
 * Opens the fastest safe setup of amqplib alone: one connection publishes and one consumes, with quorum queues, persistent
 * messages and acks.
 */
const openBareAmqplib = async (url: string): Promise<PingPong> => {
  const [publishing, consuming] = await Promise.all([connect(url, { noDelay: true }), connect(url, { noDelay: true })])
  const [output, input] = await Promise.all([publishing.createConfirmChannel(), consuming.createChannel()])
  const names = ["bench.ping", "bench.pong"] as const
  const timer = createHopTimer((queue) => output.sendToQueue(names[queue], Buffer.from(BODY), { persistent: true }))
  await input.prefetch(1)
  for (const queue of [0, 1] as const) {
    await input.assertQueue(names[queue], { durable: true, arguments: { "x-queue-type": "quorum" } })
    await input.consume(names[queue], (message) => {
      timer.onMessage(queue)
      input.ack(message!)
    })
  }
  return {
    run: timer.run,
    close: async () => {
      await consuming.close()
      for (const name of names) await output.deleteQueue(name)
      await publishing.close()
    },
  }
}

/** Uses Earmark's broker: each message is confirmed before the message that caused it is acked. */
const openOverBroker = async (broker: Broker): Promise<PingPong> => {
  const stages = ["l1", "decide"] as const
  let n = 0
  let published: Promise<void> = Promise.resolve()
  const timer = createHopTimer((queue) => {
    published = broker.publish([{ stage: stages[queue], id: `hop-${++n}`, body: BODY }])
  })
  for (const queue of [0, 1] as const)
    await broker.consume(
      stages[queue],
      async () => {
        timer.onMessage(queue)
        await published
        return "ack"
      },
      { concurrency: 1 },
    )
  return { run: timer.run, close: () => broker.close({ drainMs: 1000 }) }
}

const WARM_UP = 200
const ROUNDS = 5
const HOPS = 400

/** Measures both setups alternately, so that other load affects both. @returns the median milliseconds per hop of each */
export const compareHops = async (url: string): Promise<{ bareMs: number; oursMs: number; ratio: number }> => {
  const pingPongs = [await openBareAmqplib(url), await openOverBroker(await openConnected(url))] as const
  const times: [number[], number[]] = [[], []]
  for (const pingPong of pingPongs) await pingPong.run(WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    for (const i of [0, 1] as const) times[i].push(...(await pingPongs[i].run(HOPS)))
  await Promise.all(pingPongs.map((p) => p.close()))
  const [bareMs, oursMs] = [median(times[0]), median(times[1])]
  return { bareMs, oursMs, ratio: oursMs / bareMs }
}
