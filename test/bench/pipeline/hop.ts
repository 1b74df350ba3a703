import { connect } from "amqplib"
import type { Broker } from "#lib/queue/types.ts"
import { openConnected } from "../../fixtures/amqp-broker.ts"

const BODY = JSON.stringify({
  version: 1,
  job_id: "01980000-0000-7000-8000-000000000000",
  stage: "l1",
  attempt: 1,
  next: [],
})

/** Sends one message to and fro; resolves with the milliseconds of each hop when there were enough. */
type PingPong = { run(hops: number): Promise<number[]>; close(): Promise<void> }

const counted = (send: (to: 0 | 1) => void) => {
  let times: number[] = []
  let left = 0
  let at = 0
  let end: (times: number[]) => void = () => {}
  return {
    arrived: (here: 0 | 1): void => {
      const now = performance.now()
      times.push(now - at)
      at = now
      if (--left > 0) send(here === 0 ? 1 : 0)
      else end(times)
    },
    run: (hops: number): Promise<number[]> =>
      new Promise((resolve) => {
        times = []
        left = hops
        end = resolve
        at = performance.now()
        send(0)
      }),
  }
}

/** What amqplib does at best: one connection to publish and one to consume, quorum queues, persistent, acks. */
export const bareAmqplib = async (url: string): Promise<PingPong> => {
  const [writing, reading] = await Promise.all([connect(url, { noDelay: true }), connect(url, { noDelay: true })])
  const [out, inn] = await Promise.all([writing.createConfirmChannel(), reading.createChannel()])
  const names = ["bench.ping", "bench.pong"] as const
  const game = counted((to) => out.sendToQueue(names[to], Buffer.from(BODY), { persistent: true }))
  await inn.prefetch(1)
  for (const here of [0, 1] as const) {
    await inn.assertQueue(names[here], { durable: true, arguments: { "x-queue-type": "quorum" } })
    await inn.consume(names[here], (message) => {
      game.arrived(here)
      inn.ack(message!)
    })
  }
  return {
    run: game.run,
    close: async () => {
      await reading.close()
      for (const name of names) await out.deleteQueue(name)
      await writing.close()
    },
  }
}

/** The same over a broker of ours: each message confirmed before the one that led to it is acked. */
export const overBroker = async (broker: Broker): Promise<PingPong> => {
  const stages = ["l1", "decide"] as const
  let n = 0
  let sent: Promise<void> = Promise.resolve()
  const game = counted((to) => {
    sent = broker.publish([{ stage: stages[to], id: `hop-${++n}`, body: BODY }])
  })
  for (const here of [0, 1] as const)
    await broker.consume(
      stages[here],
      async () => {
        game.arrived(here)
        await sent
        return "ack"
      },
      { concurrency: 1 },
    )
  return { run: game.run, close: () => broker.close({ drainMs: 1000 }) }
}

const WARM_UP = 200
const ROUNDS = 5
const HOPS = 400

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Both in turn, so that what else the machine does hits both. @returns milliseconds a hop, medians over all rounds */
export const hopTimes = async (url: string): Promise<{ bareMs: number; oursMs: number; ratio: number }> => {
  const games = [await bareAmqplib(url), await overBroker(await openConnected(url))] as const
  const times: [number[], number[]] = [[], []]
  for (const game of games) await game.run(WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    for (const i of [0, 1] as const) times[i].push(...(await games[i].run(HOPS)))
  await Promise.all(games.map((g) => g.close()))
  const [bareMs, oursMs] = [median(times[0]), median(times[1])]
  return { bareMs, oursMs, ratio: oursMs / bareMs }
}
