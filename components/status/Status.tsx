"use client"
import type { Check, Readiness } from "#lib/domain/health.ts"
import type { EngineChoiceMade, Installation } from "#lib/domain/installation.ts"
import { STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { errorMessage } from "../api/client.ts"
import { useOffline, useReadiness } from "../api/readiness.ts"
import { Commands, getSetupSuggestions, useInstallation } from "../installation/SetupSuggestions.tsx"
import { OfflineNotice } from "../shell/OfflineNotice.tsx"
import { cx } from "../ui/cx.ts"
import { capitalize, formatTimeAgo, formatTimeLeft } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { FailedJobs } from "./FailedJobs.tsx"
import { Models } from "./Models.tsx"
import { Section } from "./Section.tsx"
import { TableSizes } from "./TableSizes.tsx"
import { Tokens } from "./tokens/Tokens.tsx"
import { Workers } from "./Workers.tsx"
import { Webhooks } from "./webhooks/Webhooks.tsx"

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

const CheckCard = ({ name, check }: { name: keyof Readiness["checks"]; check: Check }) => {
  const { label, dot } = STATES[check.state]
  return (
    <li className="grid content-start gap-1 rounded-lg border border-line bg-surface px-4 py-3.5" data-check={name}>
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
        <p className="text-sm text-soft [overflow-wrap:anywhere]">{capitalize(check.detail)}</p>
      )}
    </li>
  )
}

const ENGINE_LABELS: Readonly<Record<keyof Installation["choices"], string>> = {
  speech: "Speech engine",
  provider: "Topics and answers",
  embedder: "Embeddings",
}

const Engine = ({ kind, made }: { kind: keyof Installation["choices"]; made: EngineChoiceMade | null }) => (
  <div className="grid gap-x-6 py-2.5 sm:grid-cols-[12rem_1fr]">
    <dt className="text-sm text-muted">{ENGINE_LABELS[kind]}</dt>
    <dd>
      {made ? (
        <>
          <span className="font-[600]">{made.value}</span>
          <span className="block text-sm text-muted [overflow-wrap:anywhere]">
            {capitalize(made.reason)} · {formatTimeAgo(made.chosen_at)}
          </span>
        </>
      ) : (
        <span className="text-sm text-muted">None available</span>
      )}
    </dd>
  </div>
)

const Engines = ({ installation }: { installation: Installation }) => {
  const advice = getSetupSuggestions(installation)
  return (
    <Section id="engines" title="Engines">
      <dl className="divide-y divide-line border-y border-line">
        {(["speech", "provider", "embedder"] as const).map((kind) => (
          <Engine key={kind} kind={kind} made={installation.choices[kind]} />
        ))}
      </dl>
      {installation.receivers.length > 0 && (
        <ul className="grid gap-1 text-sm text-soft" aria-label="What leaves this machine">
          {installation.receivers.map(({ engine, detail }) => (
            <li key={engine} className="[overflow-wrap:anywhere]">
              {detail}
            </li>
          ))}
        </ul>
      )}
      {advice.map(({ text, commands }) => (
        <div key={text} className="grid gap-1.5 text-sm text-soft">
          <p>{text}</p>
          <Commands lines={commands} />
        </div>
      ))}
    </Section>
  )
}

const formatAge = (seconds: number | undefined): string =>
  seconds === undefined ? "" : `${formatTimeLeft(seconds)} ago`

const Queues = ({ installation: { queues } }: { installation: Installation }) => {
  const cell = "py-2 not-last:pr-4"
  return (
    <Section id="queues" title="Queues">
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
          {queues.map((queue) => (
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

const HEADLINES: Readonly<Record<Readiness["status"], string>> = {
  ok: "All systems operational",
  degraded: "Degraded",
  down: "Part of Earmark isn't running",
}

const REFRESH_MS = 5000

/** The status page: health checks, engines, queues, workers, speech models, API tokens, webhooks and failed jobs. */
export const Status = () => {
  const readiness = useReadiness()
  const installation = useInstallation(REFRESH_MS)
  const { offline, retry } = useOffline()
  return (
    <div className="grid grid-cols-1 gap-10">
      <div className="grid gap-4">
        <h1 className="text-2xl font-[640]">{readiness.data ? HEADLINES[readiness.data.status] : "Status"}</h1>
        {offline && <OfflineNotice onRetry={retry} />}
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3" aria-busy={readiness.isPending}>
          {(Object.keys(CHECKS) as (keyof Readiness["checks"])[]).map((name) =>
            readiness.data ? (
              <CheckCard key={name} name={name} check={readiness.data.checks[name]} />
            ) : (
              <li key={name} className="h-[5.5rem] animate-pulse rounded-lg border border-line bg-surface" />
            ),
          )}
        </ul>
      </div>
      {installation.isError && !offline && (
        <Notice onRetry={() => installation.refetch()}>
          {errorMessage(installation.error)}
          {installation.data && " The details below may be out of date."}
        </Notice>
      )}
      {installation.isPending && <div aria-hidden="true" className="h-[34rem]" />}
      {installation.data && (
        <div className="grid grid-cols-1 gap-10 lg:grid-cols-2">
          <Engines installation={installation.data} />
          <div className="grid min-w-0 content-start gap-10">
            <Queues installation={installation.data} />
            <Workers workers={installation.data.workers} />
            <TableSizes tables={installation.data.tables} />
          </div>
        </div>
      )}
      <Models />
      <Tokens />
      <Webhooks />
      <FailedJobs />
    </div>
  )
}
