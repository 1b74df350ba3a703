import { type Command, InvalidArgumentError } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { type ClipTopics, topicParams, topicPatch } from "#lib/domain/topics/topic-edits.ts"
import { issueText } from "#lib/domain/validation-messages.ts"
import { editTopic, getTopics, removeTopicEdit, resetTopic } from "#lib/services/topics/topic-edits.ts"
import { listTopicRuns } from "#lib/services/topics/topic-runs.ts"
import { withNode } from "../node.ts"
import { printResult } from "../output.ts"
import { numberedText } from "../tree.ts"
import { addTopicsDiff } from "./topics-diff.ts"
import { addTopicsRerun } from "./topics-rerun.ts"

/** Seconds, or clock times as the tree shows them: `12:05`, `1:02:03.5`. */
const seconds = (text: string): number => {
  const parts = text.split(":").map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN))
  const value = parts.reduce((sum, part) => sum * 60 + part, 0)
  if (parts.length > 3 || Number.isNaN(value)) throw new InvalidArgumentError("give seconds, or minutes:seconds")
  return value
}

const show = (topics: ClipTopics): void =>
  printResult(topics, () => {
    const edits = topics.edits.map((e) => `${e.id}  ${e.detail ?? `shown on ${e.topic}`}`)
    return [numberedText(topics.tree), ...(edits.length > 0 ? ["", "Edits:", ...edits] : [])].join("\n")
  })

const checkedTopic = (id: string, topic: string) => {
  const parsed = topicParams.safeParse({ id, topic })
  if (!parsed.success) throw new AppError("invalid", `${topic} ${issueText(parsed.error.issues[0]!)}`)
  return parsed.data
}

export const addTopics = (program: Command): void => {
  const topics = program
    .command("topics")
    .description("look at the topics of a clip, write over them, make them anew, compare runs")
  topics
    .command("show <clip>")
    .description("the tree with the numbers of its topics, and what people wrote over it")
    .action((id: string) => withNode(async (node) => show(await getTopics(node, { id }))))
  topics
    .command("edit <clip> <topic>")
    .description('write over a topic by its number, like "1.2"; later runs leave it alone')
    .option("--title <text>")
    .option("--summary <text>")
    .option("--start <time>", "where it begins, in seconds or minutes:seconds; the topic before ends there", seconds)
    .option("--end <time>", "where it ends; the topic after begins there", seconds)
    .action((id: string, topic: string, flags: { title?: string; summary?: string; start?: number; end?: number }) =>
      withNode(async (node) => {
        const patch = topicPatch.safeParse({ ...flags, start_s: flags.start, end_s: flags.end })
        if (!patch.success) {
          const issue = patch.error.issues[0]!
          throw new AppError("invalid", `--${String(issue.path[0]).replace("_s", "")} ${issueText(issue)}`)
        }
        show(await editTopic(node, checkedTopic(id, topic), patch.data))
      }),
    )
  topics
    .command("reset <clip> <topic>")
    .description("take back all edits of a topic; with --edit one edit by its id, whatever the topic")
    .option("--edit", "<topic> is the id of an edit")
    .action((id: string, topic: string, flags: { edit?: boolean }) =>
      withNode(async (node) =>
        show(
          await (flags.edit ? removeTopicEdit(node, { id, edit: topic }) : resetTopic(node, checkedTopic(id, topic))),
        ),
      ),
    )
  topics
    .command("runs <clip>")
    .description("the runs that made its topics, newest first")
    .action((id: string) =>
      withNode(async (node) => {
        const { runs } = await listTopicRuns(node, { id })
        printResult({ runs }, () =>
          runs
            .map((r) => {
              const by = r.llm_model ?? r.provider ?? "unknown"
              return `${r.id}  ${r.created_at.slice(0, 19).replace("T", " ")}  ${by.padEnd(18)}  ${r.topics} topics`
            })
            .join("\n"),
        )
      }),
    )
  addTopicsRerun(topics)
  addTopicsDiff(topics)
}
