import type { Deps } from "./deps.ts"

/** Has the state of the whole service exported with the metrics: for one process of it alone, or it would be counted twice. */
export const watchService = ({ store, broker, telemetry }: Pick<Deps, "store" | "broker" | "telemetry">): void => {
  if (store)
    telemetry.watch("earmark.jobs", async () =>
      Object.entries(await store.countJobs()).map(([status, value]) => ({
        value,
        attributes: { "earmark.job.status": status },
      })),
    )
  if (broker)
    telemetry.watch("earmark.queue.depth", async () =>
      Object.entries(await broker.depth()).map(([stage, value]) => ({ value, attributes: { "earmark.stage": stage } })),
    )
}
