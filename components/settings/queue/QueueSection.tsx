"use client"
import type { Installation } from "#lib/domain/installation.ts"
import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { errorMessage } from "../../api/client.ts"
import { useOffline } from "../../api/readiness.ts"
import { useInstallation } from "../../installation/SetupSuggestions.tsx"
import { cx } from "../../ui/cx.ts"
import { formatTimeLeft } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../Section.tsx"
import { FailedJobs } from "./FailedJobs.tsx"

const formatAge = (seconds: number | undefined): string =>
  seconds === undefined ? "" : `${formatTimeLeft(seconds)} ago`

/** The stages that have messages, or that no worker runs. */
const Queues = ({ queues }: Pick<Installation, "queues">) => {
  const cell = "py-2 not-last:pr-4"
  const shown = queues.filter(({ depth, consumers }) => depth > 0 || consumers === 0)
  if (shown.length === 0)
    return (
      <Section id="queues" title="Queue">
        <p className="text-sm text-muted">Nothing is being processed.</p>
      </Section>
    )
  return (
    <Section id="queues" title="Queue">
      <table className="numeric w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-left text-xs text-muted">
            <th scope="col" className={cx(cell, "font-[560]")}>
              Stage
            </th>
            <th scope="col" className={cx(cell, "text-right font-[560]")}>
              Waiting
            </th>
            <th scope="col" className={cx(cell, "text-right font-[560]")}>
              In flight
            </th>
            <th scope="col" className={cx(cell, "text-right font-[560]")}>
              Oldest
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((queue) => (
            <tr key={queue.stage} className="border-b border-line last:border-0">
              <th scope="row" className={cx(cell, "text-left font-[560]")}>
                {STAGE_TABLE[queue.stage].label}
                {queue.consumers === 0 && <span className="block text-xs font-[400] text-bad">no worker</span>}
              </th>
              <td className={cx(cell, "text-right", queue.waiting > 0 ? "font-[600]" : "text-muted")}>
                {queue.waiting}
              </td>
              <td className={cx(cell, "text-right text-muted")}>{Math.max(0, queue.depth - queue.waiting)}</td>
              <td className={cx(cell, "text-right text-muted")}>{formatAge(queue.oldest_s)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

const REFRESH_MS = 3000

/** What is being processed, and what failed. */
export const QueueSection = () => {
  const installation = useInstallation(REFRESH_MS)
  const { offline } = useOffline()
  return (
    <>
      {installation.isError && !offline && (
        <Notice onRetry={() => installation.refetch()}>{errorMessage(installation.error)}</Notice>
      )}
      {installation.isPending && <div aria-hidden="true" className="h-24" />}
      {installation.data && <Queues queues={installation.data.queues} />}
      <FailedJobs />
    </>
  )
}
