"use client"
import type { Check, Readiness } from "#lib/domain/health.ts"
import { errorMessage } from "../../api/client.ts"
import { useOffline, useReadiness } from "../../api/readiness.ts"
import { useInstallation } from "../../installation/SetupSuggestions.tsx"
import { cx } from "../../ui/cx.ts"
import { formatCount } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { WithCode } from "../../ui/WithCode.tsx"
import { Section } from "../Section.tsx"
import { TableSizes } from "./TableSizes.tsx"
import { Workers } from "./Workers.tsx"

const CHECKS: Readonly<Record<keyof Readiness["checks"], { name: string; purpose: string }>> = {
  store: { name: "Database", purpose: "Stores recordings, topics and jobs" },
  broker: { name: "Queue", purpose: "Passes jobs from stage to stage" },
  worker: { name: "Workers", purpose: "Process recordings" },
  speech: { name: "Speech engine", purpose: "Transcribes recordings" },
  models: { name: "Language model", purpose: "Finds, names and summarizes topics" },
  blobs: { name: "File storage", purpose: "Stores uploaded files" },
  telemetry: { name: "Telemetry", purpose: "Exports traces and metrics (optional)" },
}

const STATES: Readonly<Record<Check["state"], { label: string; dot: string }>> = {
  ok: { label: "OK", dot: "bg-good" },
  degraded: { label: "Degraded", dot: "bg-mark-now" },
  down: { label: "Down", dot: "bg-bad" },
  absent: { label: "Off", dot: "bg-line-strong" },
}

const CheckRow = ({ name, check }: { name: keyof Readiness["checks"]; check: Check }) => {
  const { label, dot } = STATES[check.state]
  return (
    <li className="grid content-start gap-1 py-3" data-check={name}>
      <p className="flex items-center gap-2">
        <span aria-hidden="true" className={cx("size-2.5 rounded-full", dot)} />
        <span className="font-[620]">{CHECKS[name].name}</span>
        <span className="text-sm text-muted">{label}</span>
      </p>
      <p className="text-sm text-muted">
        {CHECKS[name].purpose}
        {check.picked && (
          <>
            {" · "}
            <span className="font-[560] text-ink">{check.picked}</span>
          </>
        )}
      </p>
      {/* The queues table below shows the details of a working broker. */}
      {check.detail && !(name === "broker" && check.state === "ok") && (
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          <WithCode>{check.detail}</WithCode>
        </p>
      )}
    </li>
  )
}

/** Returns one line about all checks: that they are fine, or which are not. */
export const summarizeChecks = (checks: Readiness["checks"]): string => {
  const entries = Object.entries(checks) as [keyof Readiness["checks"], Check][]
  const isWrong = ({ state }: Check) => state === "down" || state === "degraded"
  const wrong = entries.filter(([, check]) => isWrong(check)).map(([name]) => CHECKS[name].name)
  if (wrong.length > 0)
    return `${formatCount(wrong.length, "part")} of ${entries.length} needs attention: ${wrong.join(", ")}`
  const running = entries.filter(([, { state }]) => state === "ok").length
  const off = entries.length - running
  return `All ${running} parts work${off > 0 ? `, ${off} off` : ""}`
}

const Checks = ({ readiness }: { readiness: Readiness }) => {
  const isOk = readiness.status === "ok"
  return (
    <details open={!isOk} className="group rounded-lg border border-line bg-surface">
      <summary className="flex items-center gap-2.5 rounded-lg px-4 py-3 font-[600]">
        <span
          aria-hidden="true"
          className={cx(
            "size-2.5 shrink-0 rounded-full",
            isOk ? "bg-good" : readiness.status === "down" ? "bg-bad" : "bg-mark-now",
          )}
        />
        <span className="min-w-0 flex-1">{summarizeChecks(readiness.checks)}</span>
        <Icon name="down" className="shrink-0 text-muted transition group-open:rotate-180" />
      </summary>
      <ul className="divide-y divide-line border-t border-line px-4">
        {(Object.keys(CHECKS) as (keyof Readiness["checks"])[]).map((name) => (
          <CheckRow key={name} name={name} check={readiness.checks[name]} />
        ))}
      </ul>
    </details>
  )
}

const REFRESH_MS = 5000

/** The health of the parts, the workers and the size of the database. */
export const SystemSection = () => {
  const readiness = useReadiness()
  const installation = useInstallation(REFRESH_MS)
  const { offline } = useOffline()
  return (
    <>
      <Section id="checks" title="System">
        {readiness.isPending && (
          <div aria-hidden="true" className="h-12 animate-pulse rounded-lg border border-line bg-surface" />
        )}
        {readiness.data && <Checks readiness={readiness.data} />}
      </Section>
      {installation.isError && !offline && (
        <Notice onRetry={() => installation.refetch()}>
          {errorMessage(installation.error)}
          {installation.data && " The details below may be out of date."}
        </Notice>
      )}
      {installation.isPending && <div aria-hidden="true" className="h-64" />}
      {installation.data && (
        <>
          <Workers workers={installation.data.workers} />
          <TableSizes tables={installation.data.tables} />
          <p className="text-sm text-muted">
            Earmark {installation.data.version}, HTTP API {installation.data.api_version}
          </p>
        </>
      )}
    </>
  )
}
