import type { TraceContext } from "../domain/jobs/stages.ts"
import type { Span, Telemetry } from "../platform/telemetry/types.ts"
import type { Claim } from "../storage/stores/ports/stages.ts"
import type { StageOutcome } from "./stage.ts"

/**
 * Runs one attempt in a span of the job's trace and records its duration. Model calls become child spans.
 * @param work gets a callback that reports why the stage did not finish
 */
export const runInStageSpan = async (
  telemetry: Telemetry,
  { jobId, stage, attempt }: Claim,
  trace: TraceContext | undefined,
  work: (onFailure: (error: unknown) => void) => Promise<StageOutcome>,
): Promise<StageOutcome> => {
  if (!telemetry.on) return work(() => {})
  const startedAt = performance.now()
  const span: Span = telemetry.begin(`stage ${stage}`, {
    kind: "consumer",
    parent: trace,
    attributes: { "earmark.job.id": jobId, "earmark.stage": stage, "earmark.stage.attempt": attempt },
  })
  let outcome: StageOutcome | "unwritten" = "unwritten"
  let failure: unknown
  try {
    outcome = await span.run(() =>
      work((error) => {
        failure = error
      }),
    )
    return outcome
  } catch (error) {
    failure = error
    throw error
  } finally {
    span.set({ "earmark.stage.outcome": outcome })
    const attributes = { "earmark.stage": stage, "earmark.stage.outcome": outcome }
    telemetry.record("earmark.stage.duration", (performance.now() - startedAt) / 1000, attributes)
    span.end(failure)
  }
}
