import { text } from "node:stream/consumers"
import { type Command, Option } from "commander"
import { queryRequest } from "#lib/api/documents.ts"
import { type QuerySource, queryScope } from "#lib/domain/documents.ts"
import { type FilterFlags, filterFlags, toFilter } from "../filter-flags.ts"
import { parseFlags } from "../flags.ts"
import { formatTime, printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

/** @param cited_s the first second of the source that the answer cites */
const describeSource = ({ chunk: { metadata } }: QuerySource, cited_s = metadata.start_s): string => {
  const { source, title, heading, page } = metadata
  const position = [
    page === undefined ? "" : `page ${page}`,
    cited_s === undefined ? "" : `at ${formatTime(cited_s)}`,
    heading ?? "",
  ]
  const name = cited_s !== undefined && title ? `${title} (${source})` : source
  return [name, ...position].filter(Boolean).join(", ")
}

type Flags = RemoteFlags & FilterFlags & { scope: string; topK?: string; thread?: string }

export const addQuery = (program: Command): void => {
  const command = program.command("query")
  filterFlags(remoteFlags(command.argument("<question>", 'a question; "-" reads it from standard input')))
    .description("answer a question from documents and recordings, with sources")
    .addOption(new Option("--scope <scope>", "where to search").choices(queryScope.options).default("all"))
    .option("--top-k <n>", "number of chunks to answer from")
    .option("--thread <id>", "ask in this conversation (earmark threads)")
    .action((given: string, { scope, topK, thread, ...flags }: Flags) =>
      withApi(flags, async (api) => {
        const question = given === "-" ? await text(process.stdin) : given
        const top_k = topK === undefined ? undefined : Number(topK)
        const request = parseFlags(
          queryRequest,
          { question, scope, top_k, filter: toFilter(flags), thread_id: thread },
          { thread_id: "--thread", question: "the question" },
        )
        const result = await api.query(request)
        const firstCitation = (n: number) => result.citations.find((c) => c.source === n)?.start_s
        const list = result.sources.map((source, i) => `[${i + 1}] ${describeSource(source, firstCitation(i + 1))}`)
        const rewritten = result.rewritten_question === null ? [] : [`Searched for: ${result.rewritten_question}`, ""]
        printResult(result, () => [...rewritten, result.answer, "", ...list].join("\n"))
      }),
    )
}
