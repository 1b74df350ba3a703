import { parseArgs } from "node:util"
import { emptyBroker } from "../../fixtures/amqp-broker.ts"
import { startPostgres } from "../../fixtures/postgres.ts"
import { startRabbitMq } from "../../fixtures/rabbitmq.ts"
import { printResult, round } from "../report.ts"
import { compareHops } from "./hop.ts"
import { type Load, measureJobsPerSecond } from "./load.ts"

const JOBS_PER_WORKER = 32
const WORKERS = [1, 2, 4, 8] as const
const SETUPS = ["rabbitmq", "sqlite", "postgres"] as const

/**
 * Measures the queue and the pipeline with stages that do nothing. Runs all parts and setups unless options select one.
 *
 *     --part hop       compares a queue hop with amqplib alone
 *     --part rate      counts jobs per second through all eight stages
 *     --part growth    compares several workers with one; their stages wait `--wait` ms, as for a model server
 *     --on rabbitmq    RabbitMQ and SQLite
 *     --on sqlite      SQLite with the embedded queue
 *     --on postgres    RabbitMQ and PostgreSQL, as on several hosts
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
  const isSelected = (part: string) => values.part === undefined || values.part === part
  const setups = SETUPS.filter((setup) => values.on === undefined || values.on === setup)
  const rabbit = await startRabbitMq()
  const postgres = setups.includes("postgres") ? await startPostgres() : null
  try {
    if (isSelected("hop")) {
      const { bareMs, oursMs, ratio } = await compareHops(rabbit.url)
      printResult({ bench: "hop", bare_ms: round(bareMs), ours_ms: round(oursMs), ratio: round(ratio) })
    }
    for (const on of setups) {
      const measure = async (load: Omit<Load, "brokerUrl" | "databaseUrl">): Promise<number> => {
        const brokerUrl = on === "sqlite" ? undefined : rabbit.url
        if (brokerUrl) await emptyBroker(brokerUrl)
        const databaseUrl = on === "postgres" ? await postgres!.database() : undefined
        return measureJobsPerSecond({ brokerUrl, databaseUrl, ...load })
      }
      if (isSelected("rate")) {
        const rate = await measure({ workers: 2, jobs: Number(values.jobs), waitMs: 0, concurrency: 4 })
        printResult({ bench: "rate", on, workers: 2, jobs: Number(values.jobs), jobs_per_s: round(rate, 1) })
      }
      if (isSelected("growth")) {
        let rateOfOne = 0
        for (const workers of WORKERS) {
          const rate = await measure({ workers, jobs: JOBS_PER_WORKER * workers, waitMs, concurrency: 1 })
          rateOfOne ||= rate
          const figures = { jobs_per_s: round(rate), of_linear: round(rate / rateOfOne / workers) }
          printResult({ bench: "growth", on, workers, wait_ms: waitMs, ...figures })
        }
      }
    }
  } finally {
    await postgres?.close()
    await rabbit.close()
  }
}
