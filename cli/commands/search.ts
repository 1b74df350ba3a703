import type { Command } from "commander"
import { type SearchAnswer, searchQuery } from "#lib/domain/search.ts"
import { parseFlags } from "../flags.ts"
import { formatTime, printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

const describe = ({ titles, topics, words }: SearchAnswer): string => {
  const lines = [
    ...titles.map((hit) => `${hit.clip_id}  ${hit.clip_title}`),
    ...topics.map(
      (hit) => `${hit.clip_id}  ${formatTime(hit.start_s)}  ${hit.number} ${hit.title}  (${hit.clip_title})`,
    ),
    ...words.map((hit) => `${hit.clip_id}  ${formatTime(hit.start_s)}  ${hit.text}  (${hit.clip_title})`),
  ]
  return lines.length > 0 ? lines.join("\n") : "nothing found"
}

export const addSearch = (program: Command): void => {
  remoteFlags(program.command("search").argument("<words...>"))
    .description("search titles, topics and transcripts")
    .option("--limit <n>", "maximum number of matches of each kind", "12")
    .action((words: string[], flags: RemoteFlags & { limit: string }) =>
      withApi(flags, async (api) => {
        const given = { q: words.join(" "), limit: flags.limit }
        const found = await api.search(parseFlags(searchQuery, given, { q: "the words" }))
        printResult(found, () => describe(found))
      }),
    )
}
