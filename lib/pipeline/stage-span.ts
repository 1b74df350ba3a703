import type { TraceContext } from "../domain/jobs/trace.ts"
import type { Span, Telemetry } from "../platform/telemetry/types.ts"
import type { Claim } from "../storage/stores/ports/stages.ts"
import type { Outcome } from "./run-stage.ts"

/**
 * One attempt at a stage as a span of the job's trace, and its seconds. What the stage asks of models lies inside.
 * `work` gets a way to say why the stage did not finish.
 */
export const inStageSpan = async (
  telemetry: Telemetry,
  { jobId, stage, attempt }: Claim,
  trace: TraceContext | undefined,
  work: (failed: (error: unknown) => void) => Promise<Outcome>,
): Promise<Outcome> => {
  if (!telemetry.on) return work(() => {})
  const startedAt = performance.now()
  const span: Span = telemetry.begin(`stage ${stage}`, {
    kind: "consumer",
    parent: trace,
    attributes: { "earmark.job.id": jobId, "earmark.stage": stage, "earmark.stage.attempt": attempt },
  })
  let outcome: Outcome | "unwritten" = "unwritten"
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
