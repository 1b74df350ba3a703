import type { Command } from "commander"
import { topicParams } from "#lib/api/topics.ts"
import { type ClipTopics, topicPatch } from "#lib/domain/topics/topic-edits.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { nameFlags, parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"
import { formatNumberedTree } from "../tree.ts"
import { addTopicsDiff } from "./topics-diff.ts"
import { addTopicsRerun } from "./topics-rerun.ts"
import { addTopicsStructure, parseTime } from "./topics-structure.ts"

const show = (topics: ClipTopics): void =>
  printResult(topics, () => {
    const edits = topics.edits.map((e) => `${e.id}  ${e.detail ?? `shown on ${e.topic}`}`)
    return [formatNumberedTree(topics.tree), ...(edits.length > 0 ? ["", "Edits:", ...edits] : [])].join("\n")
  })

const parseTopic = (id: string, topic: string): string => parseFlags(topicParams, { id, topic }, { topic }).topic

type EditFlags = RemoteFlags & { title?: string; summary?: string; start?: number; end?: number }

export const addTopics = (program: Command): void => {
  const topics = program
    .command("topics")
    .description("show, edit, add, merge and re-run the topics of a clip, and compare topic runs")
  const command = (name: string) => remoteFlags(topics.command(name).argument("<clip>", CLIP_ARGUMENT))
  command("show")
    .description("print the numbered topic tree and its edits")
    .action((clip: string, flags: RemoteFlags) => withApi(flags, async (api) => show(await api.topics(toClipId(clip)))))
  command("edit")
    .argument("<topic>")
    .description('edit a topic by its number, such as "1.2"; later runs keep the edit')
    .option("--title <text>", "new title")
    .option("--summary <text>", "new summary")
    .option(
      "--start <time>",
      "new start in seconds or minutes:seconds; also moves the end of the previous topic",
      parseTime,
    )
    .option("--end <time>", "new end; also moves the start of the next topic", parseTime)
    .action((clip: string, topic: string, { title, summary, start, end, ...flags }: EditFlags) =>
      withApi(flags, async (api) => {
        const names = { start_s: "--start", end_s: "--end" }
        const patch = parseFlags(topicPatch, { title, summary, start_s: start, end_s: end }, names)
        const id = toClipId(clip)
        show(await nameFlags(names, api.editTopic(id, parseTopic(id, topic), patch)))
      }),
    )
  addTopicsStructure(topics, show)
  command("reset")
    .argument("<topic>")
    .description("undo all edits of a topic, or with --edit a single edit")
    .option("--edit", "<topic> is the ID of an edit")
    .action((clip: string, topic: string, flags: RemoteFlags & { edit?: boolean }) =>
      withApi(flags, async (api) => {
        const id = toClipId(clip)
        show(await (flags.edit ? api.removeTopicEdit(id, topic) : api.resetTopic(id, parseTopic(id, topic))))
      }),
    )
  command("runs")
    .description("list topic runs, newest first")
    .action((clip: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const { runs } = await api.topicRuns(toClipId(clip))
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
