import { type Command, Option } from "commander"
import { queryRequest } from "#lib/api/documents.ts"
import { type QuerySource, queryScope } from "#lib/domain/documents.ts"
import { AppError } from "#lib/domain/errors.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { formatTime, printResult } from "../output.ts"

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

export const addQuery = (program: Command): void => {
  program
    .command("query")
    .argument("<question>")
    .description("answer a question from documents and recordings, with sources")
    .addOption(new Option("--scope <scope>", "where to search").choices(queryScope.options).default("all"))
    .option("--top-k <n>", "number of chunks to answer from")
    .action(async (question: string, flags: { scope: string; topK?: string }) => {
      const top_k = flags.topK === undefined ? {} : { top_k: Number(flags.topK) }
      const request = queryRequest.safeParse({ question, scope: flags.scope, ...top_k })
      if (!request.success) {
        const [issue] = request.error.issues
        throw new AppError("invalid", `${String(issue?.path[0]).replace("_", "-")}: ${issue?.message}`)
      }
      const earmark = new Earmark(settings())
      try {
        const result = await earmark.query(question, request.data)
        const firstCitation = (n: number) => result.citations.find((c) => c.source === n)?.start_s
        const list = result.sources.map((source, i) => `[${i + 1}] ${describeSource(source, firstCitation(i + 1))}`)
        printResult(result, () => [result.answer, "", ...list].join("\n"))
      } finally {
        await earmark.close()
      }
    })
}
