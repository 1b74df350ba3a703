import type { Command } from "commander"
import { type JobRecord, jobsQuery } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import type { Api } from "#lib/services/local-api.ts"
import { parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

const line = (job: JobRecord): string => {
  const at = job.progress ? ` ${job.progress.stage}` : ""
  const message = job.error?.detail ?? job.progress?.waiting?.reason
  const why = message === undefined ? "" : `  ${job.error?.stage ?? job.progress?.stage}: ${message}`
  return `${job.job_id}  ${(job.status + at).padEnd(18)}  ${job.created_at.slice(0, 19).replace("T", " ")}  ${job.title}${why}`
}

const details = (job: JobRecord): string =>
  [
    line(job),
    ...STAGE_NAMES.map((s) => `  ${s.padEnd(14)} ${job.stages[s].padEnd(10)} ${job.stage_attempts[s]} attempts`),
  ].join("\n")

export const addJobs = (program: Command): void => {
  const jobs = program.command("jobs").description("list, show, cancel and retry jobs")
  remoteFlags(jobs.command("list", { isDefault: true }))
    .description("list jobs, newest first")
    .option("--status <state>", "queued, running, done, error or cancelled")
    .option("--limit <n>", "maximum number", "20")
    .option("--cursor <text>", "next_cursor of the previous page")
    .action((flags: RemoteFlags & Record<string, string>) =>
      withApi(flags, async (api) => {
        const { status, limit, cursor } = flags
        const page = await api.jobs(parseFlags(jobsQuery, { status, limit, cursor }))
        printResult(page, () => (page.jobs.length ? page.jobs.map(line).join("\n") : "no jobs"))
      }),
    )
  const one = (name: string, what: string, act: (api: Api, id: string) => Promise<unknown>): void => {
    remoteFlags(jobs.command(`${name} <job_id>`))
      .description(what)
      .action((job_id: string, flags: RemoteFlags) =>
        withApi(flags, async (api) => {
          await act(api, job_id)
          const record = await api.job(job_id)
          printResult(record, () => details(record))
        }),
      )
  }
  one("show", "show a job with the state and attempts of its stages", async () => undefined)
  one("cancel", "cancel a queued or running job", (api, job_id) => api.cancel(job_id))
  one("retry", "retry a failed or cancelled job from the stage that did not finish", (api, job_id) => api.retry(job_id))
}
