import { type Command, InvalidArgumentError } from "commander"
import { type ClipTopics, structureChange } from "#lib/domain/topics/topic-edits.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { nameFlags, parseFlags } from "../flags.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

/** Parses seconds, or a time as the tree shows it: `12:05`, `1:02:03.5`. */
export const parseTime = (text: string): number => {
  const parts = text.split(":").map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : Number.NaN))
  const value = parts.reduce((sum, part) => sum * 60 + part, 0)
  if (parts.length > 3 || Number.isNaN(value)) throw new InvalidArgumentError("Must be seconds or minutes:seconds.")
  return value
}

const NAMES = { at_s: "<time>", topic: "<topic>", with: "<topic>", parent: "<parent>" }

type Texts = { title?: string; summary?: string }

/** Adds the commands that change which topics a clip has. `show` prints the result. */
export const addTopicsStructure = (topics: Command, show: (topics: ClipTopics) => void): void => {
  const command = (name: string) => remoteFlags(topics.command(name).argument("<clip>", CLIP_ARGUMENT))
  const change = (clip: string, flags: RemoteFlags, given: Readonly<Record<string, unknown>>): Promise<void> =>
    withApi(flags, async (api) => {
      const request = parseFlags(structureChange, given, NAMES)
      show(await nameFlags(NAMES, api.changeTopics(toClipId(clip), request)))
    })
  command("add")
    .description("begin a new topic at a time; without --title, its title is found in its words")
    .argument("<time>", "seconds or minutes:seconds", parseTime)
    .option("--title <text>", "title of the new topic")
    .option("--summary <text>", "summary of the new topic")
    .option("--subtopic", "begin a subtopic of the topic at this time")
    .action(
      (clip: string, at_s: number, { title, summary, subtopic, ...flags }: RemoteFlags & Texts & { subtopic?: true }) =>
        change(clip, flags, { action: "add", at_s, level: subtopic ? 3 : 2, title, summary }),
    )
  command("split")
    .description("split a topic or a subtopic in two")
    .argument("<topic>")
    .argument("<time>", "where the second part begins", parseTime)
    .option("--title <text>", "title of the second part")
    .option("--summary <text>", "summary of the second part")
    .action((clip: string, topic: string, at_s: number, { title, summary, ...flags }: RemoteFlags & Texts) =>
      change(clip, flags, { action: "split", topic, at_s, title, summary }),
    )
  command("merge")
    .description("merge a topic with the one before, or with --next the one after")
    .argument("<topic>")
    .option("--next", "merge it with the next topic")
    .option("--title <text>", "title of the merged topic")
    .option("--summary <text>", "summary of the merged topic")
    .action((clip: string, topic: string, { next, title, summary, ...flags }: RemoteFlags & Texts & { next?: true }) =>
      change(clip, flags, { action: "merge", topic, with: next ? "next" : "previous", title, summary }),
    )
  command("delete")
    .description("delete a topic with its subtopics; its time goes to the topic before")
    .argument("<topic>")
    .action((clip: string, topic: string, flags: RemoteFlags) => change(clip, flags, { action: "delete", topic }))
  command("move")
    .description("make a subtopic a topic with parent 1, or give a topic or subtopic the parent before or after it")
    .argument("<topic>")
    .argument("<parent>")
    .action((clip: string, topic: string, parent: string, flags: RemoteFlags) =>
      change(clip, flags, { action: "move", topic, parent }),
    )
  command("undo")
    .description("undo the last change of topics")
    .action((clip: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => show(await api.undoTopicEdit(toClipId(clip)))),
    )
  command("redo")
    .description("make the last undone change of topics again")
    .action((clip: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => show(await api.redoTopicEdit(toClipId(clip)))),
    )
}
