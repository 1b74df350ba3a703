import { setTimeout as sleep } from "node:timers/promises"
import { type Command, Option } from "commander"
import { PROVIDERS } from "#lib/domain/constants.ts"
import { AppError } from "#lib/domain/errors.ts"
import { toSummaryMarkdown } from "#lib/domain/export/summaries.ts"
import { type ClipSummary, summaryRequest } from "#lib/domain/summaries.ts"
import { type Template, templatePatch, templateRequest } from "#lib/domain/summary-templates.ts"
import type { Api } from "#lib/services/local-api.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

type RunFlags = RemoteFlags & { readonly template: string; readonly provider?: string; readonly llmModel?: string }
type TemplateFlags = RemoteFlags & {
  readonly name?: string
  readonly prompt?: string
  readonly afterJobs?: boolean
}

const POLL_MS = 500

/** Waits until a summary that a service makes is done. @throws AppError with the reason of its failure */
const waitForSummary = async (api: Api, first: ClipSummary): Promise<ClipSummary> => {
  let summary = first
  while (summary.state === "queued" || summary.state === "running") {
    await sleep(POLL_MS)
    summary = await api.summary(summary.clip_id, summary.template_id)
  }
  if (summary.state === "error") throw new AppError("unavailable", summary.error ?? "The summary could not be made.")
  return summary
}

const templateLine = ({ id, name, after_jobs, needs_model }: Template): string =>
  [
    `${id}  ${name}`,
    ...(after_jobs ? ["after every job"] : []),
    ...(needs_model ? ["needs a language model"] : []),
  ].join(" · ")

const AFTER_JOBS = "run it after every job that finds topics"

export const addSummaries = (program: Command): void => {
  const summaries = program.command("summaries").description("make summaries of a clip from templates")
  remoteFlags(summaries.command("make <clip>"))
    .description("make a summary and print it")
    .option("--template <id>", "the template, as listed by 'summaries templates'", "minutes")
    .addOption(new Option("--provider <name>", "what writes it").choices(["auto", ...PROVIDERS]))
    .option("--llm-model <name>", "the language model")
    .action((clip: string, { template, provider, llmModel, ...flags }: RunFlags) =>
      withApi(flags, async (api) => {
        const request = parseFlags(
          summaryRequest,
          { template_id: template, provider, llm_model: llmModel },
          { template_id: "--template", llm_model: "--llm-model" },
        )
        const summary = await waitForSummary(api, await api.summarize(toClipId(clip), request))
        printResult(summary, () => toSummaryMarkdown(summary).trimEnd())
      }),
    )
  remoteFlags(summaries.command("list").argument("<clip>", CLIP_ARGUMENT))
    .description("print the stored summaries of a clip")
    .action((clip: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const list = await api.summaries(toClipId(clip))
        printResult(
          list,
          () => list.summaries.map((summary) => toSummaryMarkdown(summary)).join("\n") || "no summaries",
        )
      }),
    )
  remoteFlags(summaries.command("delete").argument("<clip>", CLIP_ARGUMENT).argument("<template>"))
    .description("delete a summary of a clip")
    .action((clip: string, template: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        await api.deleteSummary(toClipId(clip), template)
        printResult({ deleted: template }, () => `Deleted ${template}.`)
      }),
    )
  const templates = summaries.command("templates").description("list, create, change and delete templates")
  remoteFlags(templates.command("list", { isDefault: true }))
    .description("list templates")
    .action((flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const list = await api.templates()
        printResult(list, () => list.templates.map(templateLine).join("\n"))
      }),
    )
  remoteFlags(templates.command("create"))
    .description("create a template with a prompt of your own, for a language model")
    .requiredOption("--name <name>", "its name")
    .requiredOption("--prompt <text>", "what to write")
    .option("--after-jobs", AFTER_JOBS)
    .action(({ name, prompt, afterJobs, ...flags }: TemplateFlags) =>
      withApi(flags, async (api) => {
        const request = parseFlags(templateRequest, { name, prompt, after_jobs: afterJobs })
        const template = await api.createTemplate(request)
        printResult(template, () => templateLine(template))
      }),
    )
  remoteFlags(templates.command("edit <id>"))
    .description("change a template")
    .option("--name <name>", "its new name")
    .option("--prompt <text>", "its new prompt")
    .option("--after-jobs", AFTER_JOBS)
    .option("--no-after-jobs", "run it on demand only")
    .action((id: string, { name, prompt, afterJobs, ...flags }: TemplateFlags) =>
      withApi(flags, async (api) => {
        const patch = parseFlags(templatePatch, { name, prompt, after_jobs: afterJobs })
        const template = await api.editTemplate(id, patch)
        printResult(template, () => templateLine(template))
      }),
    )
  remoteFlags(templates.command("delete <id>"))
    .description("delete a template of yours; its summaries stay")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        await api.deleteTemplate(id)
        printResult({ deleted: id }, () => `Deleted ${id}.`)
      }),
    )
}
