import type { LogLine, WorkerProcess } from "../../fixtures/installation.ts"
import { describeTimes } from "./scenario.ts"

/** The end of a worker that a signal killed. */
type Death = { readonly worker: WorkerProcess; readonly at: number }

const isSameAttempt = (a: LogLine, b: LogLine): boolean =>
  a.job_id === b.job_id && a.stage === b.stage && a.attempt === b.attempt

const findInFlight = ({ lines }: WorkerProcess): LogLine[] => {
  const ended = lines.filter(({ msg }) => msg === "stage ended")
  return lines.filter((line) => line.msg === "stage started" && !ended.some((end) => isSameAttempt(line, end)))
}

/** Measures how long the stages of killed workers wait for their next attempt. */
export const createRecovery = (workers: readonly WorkerProcess[]) => {
  const deaths: Death[] = []
  const times = (): number[] => {
    const starts = workers.flatMap(({ lines }) => lines.filter(({ msg }) => msg === "stage started"))
    return deaths.flatMap(({ worker, at }) =>
      findInFlight(worker).flatMap((lost) => {
        const next = starts.find(
          (line) => line.job_id === lost.job_id && line.stage === lost.stage && line.attempt! > lost.attempt!,
        )
        return next ? [Math.max(0, Date.parse(next.time) - at)] : []
      }),
    )
  }
  return {
    watch: (worker: WorkerProcess): void => {
      void worker.exited.then(([, signal]) => {
        if (signal !== null) deaths.push({ worker, at: Date.now() })
      })
    },
    /** Describes the times from a kill to the next attempt of each stage that the worker was running. */
    describe: (): string => {
      const found = times()
      return `from the kill to the next attempt: ${describeTimes(found)} (${found.length} stages)`
    },
  }
}
