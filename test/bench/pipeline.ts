import { parseArgs } from "node:util"
import { emptyBroker } from "../fixtures/amqp-broker.ts"
import { startRabbitMq } from "../fixtures/rabbitmq.ts"
import { hopTimes } from "./pipeline-hop.ts"
import { jobsPerSecond, type Load } from "./pipeline-load.ts"

const WAIT_MS = 500
const JOBS_A_WORKER = 32
const MOST_WORKERS = 8

const print = (figures: object): void => console.log(JSON.stringify(figures))
const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))

/**
 * The queue and the pipeline around stages that do nothing. `--part hop` compares a queue hop with a bare amqplib
 * ping-pong, `rate` counts jobs a second through all eight stages, `growth` compares eight workers whose stages wait as
 * for a model server with one; without it all three, on a RabbitMQ of their own and on the embedded queue.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: { part: { type: "string" }, jobs: { type: "string", default: "600" } },
  })
  const wanted = (part: string) => values.part === undefined || values.part === part
  const rabbit = await startRabbitMq()
  try {
    if (wanted("hop")) {
      const { bareMs, oursMs, ratio } = await hopTimes(rabbit.url)
      print({ bench: "hop", bare_ms: rounded(bareMs), ours_ms: rounded(oursMs), ratio: rounded(ratio) })
    }
    for (const [broker, brokerUrl] of [["rabbitmq", rabbit.url] as const, ["sqlite", undefined] as const]) {
      const measure = async (load: Omit<Load, "brokerUrl">): Promise<number> => {
        if (brokerUrl) await emptyBroker(brokerUrl)
        return jobsPerSecond({ brokerUrl, ...load })
      }
      if (wanted("rate")) {
        const rate = await measure({ workers: 2, jobs: Number(values.jobs), waitMs: 0, concurrency: 4 })
        print({ bench: "rate", broker, workers: 2, jobs: Number(values.jobs), jobs_per_s: rounded(rate, 1) })
      }
      if (wanted("growth")) {
        const waiting = { waitMs: WAIT_MS, concurrency: 1 }
        const one = await measure({ workers: 1, jobs: JOBS_A_WORKER, ...waiting })
        const many = await measure({ workers: MOST_WORKERS, jobs: JOBS_A_WORKER * MOST_WORKERS, ...waiting })
        const growth = many / one / MOST_WORKERS
        const rates = { one_jobs_per_s: rounded(one), many_jobs_per_s: rounded(many), of_linear: rounded(growth) }
        print({ bench: "growth", broker, workers: MOST_WORKERS, wait_ms: WAIT_MS, ...rates })
      }
    }
  } finally {
    await rabbit.close()
  }
}
