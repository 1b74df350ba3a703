import { parseArgs } from "node:util"
import { emptyBroker } from "../../fixtures/amqp-broker.ts"
import { startPostgres } from "../../fixtures/postgres.ts"
import { startRabbitMq } from "../../fixtures/rabbitmq.ts"
import { hopTimes } from "./hop.ts"
import { jobsPerSecond, type Load } from "./load.ts"

const JOBS_A_WORKER = 32
/** The last is what the goal is about. */
const WORKERS = [1, 2, 4, 8] as const
const PLACES = ["rabbitmq", "sqlite", "postgres"] as const

const print = (figures: object): void => console.log(JSON.stringify(figures))
const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))

/**
 * The queue and the pipeline around stages that do nothing. `--part hop` compares a queue hop with a bare amqplib
 * ping-pong, `rate` counts jobs a second through all eight stages, `growth` compares workers whose stages wait as for a
 * model server (`--wait`, milliseconds) with one of them; without it all three. `--on rabbitmq` has a RabbitMQ of its own over SQLite, `sqlite`
 * the embedded queue, `postgres` both RabbitMQ and PostgreSQL, as on many hosts; without it all of them.
 */
export const run = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      part: { type: "string" },
      on: { type: "string" },
      jobs: { type: "string", default: "600" },
      wait: { type: "string", default: "500" },
    },
  })
  const waitMs = Number(values.wait)
  const wanted = (part: string) => values.part === undefined || values.part === part
  const places = PLACES.filter((place) => values.on === undefined || values.on === place)
  const rabbit = await startRabbitMq()
  const postgres = places.includes("postgres") ? await startPostgres() : null
  try {
    if (wanted("hop")) {
      const { bareMs, oursMs, ratio } = await hopTimes(rabbit.url)
      print({ bench: "hop", bare_ms: rounded(bareMs), ours_ms: rounded(oursMs), ratio: rounded(ratio) })
    }
    for (const on of places) {
      const measure = async (load: Omit<Load, "brokerUrl" | "databaseUrl">): Promise<number> => {
        const brokerUrl = on === "sqlite" ? undefined : rabbit.url
        if (brokerUrl) await emptyBroker(brokerUrl)
        const databaseUrl = on === "postgres" ? await postgres!.database() : undefined
        return jobsPerSecond({ brokerUrl, databaseUrl, ...load })
      }
      if (wanted("rate")) {
        const rate = await measure({ workers: 2, jobs: Number(values.jobs), waitMs: 0, concurrency: 4 })
        print({ bench: "rate", on, workers: 2, jobs: Number(values.jobs), jobs_per_s: rounded(rate, 1) })
      }
      if (wanted("growth")) {
        let one = 0
        for (const workers of WORKERS) {
          const rate = await measure({ workers, jobs: JOBS_A_WORKER * workers, waitMs, concurrency: 1 })
          one ||= rate
          const figures = { jobs_per_s: rounded(rate), of_linear: rounded(rate / one / workers) }
          print({ bench: "growth", on, workers, wait_ms: waitMs, ...figures })
        }
      }
    }
  } finally {
    await postgres?.close()
    await rabbit.close()
  }
}
