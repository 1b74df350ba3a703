import { type Command, Option } from "commander"
import { type QuerySource, queryRequest, queryScope } from "#lib/domain/documents.ts"
import { AppError } from "#lib/domain/errors.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { clock, printResult } from "../output.ts"

/** @param said_s the second that the answer cites of it first */
const place = ({ chunk: { metadata } }: QuerySource, said_s = metadata.start_s): string => {
  const { source, title, heading, page } = metadata
  const where = [
    page === undefined ? "" : `page ${page}`,
    said_s === undefined ? "" : `at ${clock(said_s)}`,
    heading ?? "",
  ]
  const name = said_s !== undefined && title ? `${title} (${source})` : source
  return [name, ...where].filter(Boolean).join(", ")
}

export const addQuery = (program: Command): void => {
  program
    .command("query")
    .argument("<question>")
    .description("an answer from documents and recordings, with its sources")
    .addOption(new Option("--scope <scope>", "where to look").choices(queryScope.options).default("all"))
    .option("--top-k <n>", "how many passages")
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
        const saidOf = (n: number) => result.citations.find((c) => c.source === n)?.start_s
        const list = result.sources.map((source, i) => `[${i + 1}] ${place(source, saidOf(i + 1))}`)
        printResult(result, () => [result.answer, "", ...list].join("\n"))
      } finally {
        await earmark.close()
      }
    })
}
