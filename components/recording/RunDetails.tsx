"use client"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES, STAGE_TABLE } from "#lib/domain/jobs/stage-table.ts"
import { errorMessage } from "../api/client.ts"
import { useClipJobs } from "../api/jobs.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { formatClock, formatTimeAgo } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { getProviderName } from "./provider-names.ts"
import { useRecording } from "./recording-context.ts"

const formatSeconds = (s: number): string =>
  s < 0.05 ? "< 0.1 s" : s < 10 ? `${s.toFixed(1)} s` : s < 100 ? `${Math.round(s)} s` : formatClock(s)

/** Returns the English name of a language, or the code itself if it is unknown. */
const getLanguageName = (code: string): string => {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code
  } catch {
    return code
  }
}

const StageTimes = ({ run }: { run: JobRecord }) => {
  const times = STAGE_NAMES.flatMap((name) => {
    const s = run.stage_seconds[name]
    return s === undefined ? [] : [{ name, s }]
  })
  const maxSeconds = Math.max(0.001, ...times.map(({ s }) => s))
  if (times.length === 0) return <p className="text-sm text-muted">No stage times were recorded for this job.</p>
  return (
    <dl className="grid gap-1.5">
      {times.map(({ name, s }) => (
        <div
          key={name}
          className="grid grid-cols-[12.5rem_1fr_4rem] items-center gap-3 text-sm max-sm:grid-cols-[11.5rem_1fr_3.5rem]"
        >
          <dt className="truncate text-soft">{STAGE_TABLE[name].label}</dt>
          <dd className="contents">
            <span
              className="h-1.5 rounded-full bg-accent"
              style={{ width: `${Math.max(1, (100 * s) / maxSeconds)}%` }}
            />
            <span className="numeric text-right text-muted">{formatSeconds(s)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="grid grid-cols-[7rem_1fr] gap-3 text-sm">
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
  </div>
)

/** The engines and models behind a recording, and the stage times of its last job. */
export const RunDetails = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { clip } = useRecording()
  const jobs = useClipJobs(clip.id)
  const last = jobs.data?.jobs.find((job) => job.status === "done")
  const uploadedName = jobs.data?.jobs.find((job) => job.file_name !== undefined)?.file_name
  return (
    <Dialog open={open} onClose={onClose} title="Processing details">
      <div className="grid gap-5">
        <dl className="grid gap-1.5">
          <Fact name="Transcript">
            {clip.speech_engine
              ? `${clip.speech_engine}${clip.whisper_model ? `, model ${clip.whisper_model}` : ""}`
              : "submitted with the recording"}
          </Fact>
          <Fact name="Topics">{clip.llm_model ?? getProviderName(clip.provider) ?? "not available yet"}</Fact>
          <Fact name="Embeddings">{clip.embed_model ?? "not available yet"}</Fact>
          <Fact name="Language">{clip.language ? getLanguageName(clip.language) : "unknown"}</Fact>
          <Fact name="Source">
            <bdi>{clip.source_url ?? uploadedName ?? clip.file_path ?? "transcript only"}</bdi>
          </Fact>
        </dl>
        {jobs.isError && <Notice onRetry={() => jobs.refetch()}>{errorMessage(jobs.error)}</Notice>}
        {last && (
          <section aria-label="Stage times" className="grid gap-3 border-t border-line pt-4">
            <p className="text-sm text-muted">
              Last processed {formatTimeAgo(last.finished_at ?? last.created_at)}
              {jobs.data && jobs.data.jobs.length > 1 && ` (${jobs.data.jobs.length} jobs in total)`}.
            </p>
            <StageTimes run={last} />
          </section>
        )}
      </div>
    </Dialog>
  )
}
