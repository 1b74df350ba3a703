import type { Command } from "commander"
import { type Thread, type ThreadWithTurns, threadRequest, threadsQuery } from "#lib/domain/threads.ts"
import { parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

const line = ({ id, title, questions, updated_at }: Thread): string =>
  `${id}  ${updated_at.slice(0, 10)}  ${title}  (${questions} ${questions === 1 ? "question" : "questions"})`

const describe = ({ turns, ...thread }: ThreadWithTurns): string =>
  [line(thread), ...turns.map(({ question, answer }) => `\n> ${question}\n\n${answer}`)].join("\n")

/** Lists conversations and shows one. */
export const addThreads = (program: Command): void => {
  const threads = program.command("threads").description("list, start, show and delete conversations")
  remoteFlags(threads.command("list", { isDefault: true }))
    .description("list conversations, the one asked last first")
    .option("--search <text>", "only those whose title or questions contain this text")
    .option("--limit <n>", "the maximum number", "50")
    .action(({ search, limit, ...flags }: RemoteFlags & { search?: string; limit: string }) =>
      withApi(flags, async (api) => {
        const result = await api.threads(parseFlags(threadsQuery, { q: search, limit }, { q: "--search" }))
        printResult(result, () => result.threads.map(line).join("\n") || "no conversations")
      }),
    )
  remoteFlags(threads.command("start").argument("<title>"))
    .description("start a conversation; 'query --thread ID' asks in it")
    .action((title: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const created = await api.createThread(parseFlags(threadRequest, { title }, { title: "the title" }))
        printResult(created, () => line(created))
      }),
    )
  remoteFlags(threads.command("show").argument("<id>"))
    .description("show a conversation with its questions and answers")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const thread = await api.thread(id)
        printResult(thread, () => describe(thread))
      }),
    )
  remoteFlags(threads.command("delete").argument("<id>"))
    .description("delete a conversation")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        await api.deleteThread(id)
        printResult({ deleted: id }, () => `deleted ${id}`)
      }),
    )
}
