import { type Command, InvalidArgumentError } from "commander"
import { topicParams } from "#lib/api/topics.ts"
import { AppError } from "#lib/domain/errors.ts"
import { type ClipTopics, topicPatch } from "#lib/domain/topics/topic-edits.ts"
import { formatIssue } from "#lib/domain/validation-messages.ts"
import { editTopic, getTopics, removeTopicEdit, resetTopic } from "#lib/services/topics/topic-edits.ts"
import { listTopicRuns } from "#lib/services/topics/topic-runs.ts"
import { withNode } from "../node.ts"
import { printResult } from "../output.ts"
import { formatNumberedTree } from "../tree.ts"
import { addTopicsDiff } from "./topics-diff.ts"
import { addTopicsRerun } from "./topics-rerun.ts"

/** Parses seconds, or a time as the tree shows it: `12:05`, `1:02:03.5`. */
const parseTime = (text: string): number => {
  const parts = text.split(":").map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN))
  const value = parts.reduce((sum, part) => sum * 60 + part, 0)
  if (parts.length > 3 || Number.isNaN(value)) throw new InvalidArgumentError("Must be seconds or minutes:seconds.")
  return value
}

const show = (topics: ClipTopics): void =>
  printResult(topics, () => {
    const edits = topics.edits.map((e) => `${e.id}  ${e.detail ?? `shown on ${e.topic}`}`)
    return [formatNumberedTree(topics.tree), ...(edits.length > 0 ? ["", "Edits:", ...edits] : [])].join("\n")
  })

const parseTopic = (id: string, topic: string) => {
  const parsed = topicParams.safeParse({ id, topic })
  if (!parsed.success) throw new AppError("invalid", `${topic} ${formatIssue(parsed.error.issues[0]!)}`)
  return parsed.data
}

export const addTopics = (program: Command): void => {
  const topics = program
    .command("topics")
    .description("show, edit and re-run the topics of a clip, and compare topic runs")
  topics
    .command("show <clip>")
    .description("print the numbered topic tree and its edits")
    .action((id: string) => withNode(async (node) => show(await getTopics(node, { id }))))
  topics
    .command("edit <clip> <topic>")
    .description('edit a topic by its number, such as "1.2"; later runs keep the edit')
    .option("--title <text>", "new title")
    .option("--summary <text>", "new summary")
    .option(
      "--start <time>",
      "new start in seconds or minutes:seconds; also moves the end of the previous topic",
      parseTime,
    )
    .option("--end <time>", "new end; also moves the start of the next topic", parseTime)
    .action((id: string, topic: string, flags: { title?: string; summary?: string; start?: number; end?: number }) =>
      withNode(async (node) => {
        const patch = topicPatch.safeParse({ ...flags, start_s: flags.start, end_s: flags.end })
        if (!patch.success) {
          const issue = patch.error.issues[0]!
          throw new AppError("invalid", `--${String(issue.path[0]).replace("_s", "")} ${formatIssue(issue)}`)
        }
        show(await editTopic(node, parseTopic(id, topic), patch.data))
      }),
    )
  topics
    .command("reset <clip> <topic>")
    .description("undo all edits of a topic, or with --edit a single edit")
    .option("--edit", "<topic> is the ID of an edit")
    .action((id: string, topic: string, flags: { edit?: boolean }) =>
      withNode(async (node) =>
        show(await (flags.edit ? removeTopicEdit(node, { id, edit: topic }) : resetTopic(node, parseTopic(id, topic)))),
      ),
    )
  topics
    .command("runs <clip>")
    .description("list topic runs, newest first")
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
