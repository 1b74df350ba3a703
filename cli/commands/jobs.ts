import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { type JobRecord, jobsQuery } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { formatIssue } from "#lib/domain/validation-messages.ts"
import type { Deps } from "#lib/services/deps.ts"
import { cancelJob, getJob, listJobs, retryJob } from "#lib/services/jobs/jobs.ts"
import { withNode } from "../node.ts"
import { printResult } from "../output.ts"

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
  jobs
    .command("list", { isDefault: true })
    .description("list jobs, newest first")
    .option("--status <state>", "queued, running, done, error or cancelled")
    .option("--limit <n>", "maximum number", "20")
    .option("--cursor <text>", "next_cursor of the previous page")
    .action((flags: Record<string, string>) =>
      withNode(async (deps) => {
        const query = jobsQuery.safeParse(flags)
        if (!query.success)
          throw new AppError(
            "invalid",
            `--${String(query.error.issues[0]?.path[0])} ${formatIssue(query.error.issues[0]!)}`,
          )
        const page = await listJobs(deps, query.data)
        printResult(page, () => (page.jobs.length ? page.jobs.map(line).join("\n") : "no jobs"))
      }),
    )
  const one = (name: string, what: string, act: (deps: Deps, id: string) => Promise<unknown>): void => {
    jobs
      .command(`${name} <job_id>`)
      .description(what)
      .action((job_id: string) =>
        withNode(async (deps) => {
          await act(deps, job_id)
          const record = await getJob(deps, { job_id })
          printResult(record, () => details(record))
        }),
      )
  }
  one("show", "show a job with the state and attempts of its stages", async () => undefined)
  one("cancel", "cancel a queued or running job", (deps, job_id) => cancelJob(deps, { job_id }))
  one("retry", "retry a failed or cancelled job from the stage that did not finish", (deps, job_id) =>
    retryJob(deps, { job_id }),
  )
}
