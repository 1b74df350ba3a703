import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { cx } from "../../ui/cx.ts"
import { capitalize, formatClock, formatPercent, formatTimeLeft, formatTimeOfDay } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Progress } from "../../ui/Progress.tsx"
import { getStageViews, type StageView } from "./stages.ts"

/** Describes the progress of the running stage: seconds of audio for transcription, completed items for other stages. */
const describeProgress = (view: StageView, progress: JobRecord["progress"]): string | null => {
  if (!progress || progress.stage !== view.name) return null
  if (progress.waiting) return `waiting until ${formatTimeOfDay(progress.waiting.until)}`
  if (view.progress === null) return null
  const amount =
    view.name === "whisper"
      ? `${formatClock(progress.done)} of ${formatClock(progress.total)}`
      : `${Math.floor(progress.done)} of ${Math.round(progress.total)}`
  const left = progress.eta_s === undefined ? "" : ` · ${formatTimeLeft(progress.eta_s)} left`
  return `${amount} · ${formatPercent(view.progress)}${left}`
}

const StageIcon = ({ state }: { state: StageView["state"] }) => (
  <span
    className={cx(
      "relative grid size-5 place-items-center rounded-full",
      state === "done" && "text-good",
      state === "error" && "text-bad",
    )}
  >
    {state === "done" && <Icon name="check" size={16} />}
    {state === "error" && <Icon name="alert" size={17} />}
    {state === "running" && (
      <>
        <span className="absolute size-3.5 animate-ring rounded-full border border-accent" />
        <span className="size-2 rounded-full bg-accent" />
      </>
    )}
    {(state === "pending" || state === "queued" || state === "cancelled") && (
      <span className={cx("size-1.5 rounded-full", state === "queued" ? "bg-muted" : "bg-line-strong")} />
    )}
  </span>
)

/** Lists the stages of a job with their states and progress. `hidePending` leaves out stages that never started. */
export const StageProgress = ({ job, hidePending = false }: { job: JobRecord; hidePending?: boolean }) => (
  <ol aria-label="Stages" className="grid gap-0.5">
    {getStageViews(job).map((view) => {
      if (hidePending && view.state === "pending") return null
      const text = describeProgress(view, job.progress)
      return (
        <li
          key={view.name}
          data-stage={view.name}
          data-state={view.state}
          className="grid grid-cols-[1.25rem_1fr] items-center gap-x-3 py-1"
        >
          <StageIcon state={view.state} />
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span
              className={cx(
                "text-sm transition-colors",
                view.state === "running" ? "font-[600] text-ink" : view.state === "done" ? "text-soft" : "text-muted",
              )}
            >
              {view.label}
              <span className="sr-only">, {view.state}</span>
            </span>
            {text && <span className="numeric text-xs text-muted">{text}</span>}
          </div>
          {job.progress?.stage === view.name && job.progress.waiting && (
            <p className="col-start-2 text-sm break-words text-muted">
              <bdi>{capitalize(job.progress.waiting.reason)}</bdi>
            </p>
          )}
          {view.state === "running" && (
            <Progress value={view.progress} label={view.label} className="col-start-2 mt-1.5 mb-0.5" />
          )}
        </li>
      )
    })}
  </ol>
)
