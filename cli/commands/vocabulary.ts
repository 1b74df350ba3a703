import type { Command } from "commander"
import type { StoredVocabularyEntry } from "#lib/domain/vocabulary.ts"
import { vocabularyEntry, vocabularyPatch } from "#lib/domain/vocabulary.ts"
import { parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

const SOUNDS_LIKE = "what transcripts have instead of it"

const line = ({ id, term, sounds_like }: StoredVocabularyEntry): string =>
  `${id}  ${term}${sounds_like.length > 0 ? `  (${sounds_like.join(", ")})` : ""}`

export const addVocabulary = (program: Command): void => {
  const vocabulary = program
    .command("vocabulary")
    .description("list, add and remove names and terms that transcriptions use")
  remoteFlags(vocabulary.command("list", { isDefault: true }))
    .description("list the vocabulary of the library")
    .action((flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const list = await api.vocabulary()
        printResult(list, () => list.entries.map(line).join("\n") || "no entries")
      }),
    )
  remoteFlags(vocabulary.command("add <term>"))
    .description("add a name or term, or phrases to its entry")
    .option("--sounds-like <phrase...>", SOUNDS_LIKE)
    .action((term: string, { soundsLike, ...flags }: RemoteFlags & { soundsLike?: string[] }) =>
      withApi(flags, async (api) => {
        const names = { term: "<term>" }
        const entry = await api.addVocabulary(parseFlags(vocabularyEntry, { term, sounds_like: soundsLike }, names))
        printResult(entry, () => line(entry))
      }),
    )
  remoteFlags(vocabulary.command("edit <id>"))
    .description("change an entry")
    .option("--term <term>", "the name or term as it is written")
    .option("--sounds-like <phrase...>", SOUNDS_LIKE)
    .action((id: string, { term, soundsLike, ...flags }: RemoteFlags & { term?: string; soundsLike?: string[] }) =>
      withApi(flags, async (api) => {
        const entry = await api.updateVocabulary(id, parseFlags(vocabularyPatch, { term, sounds_like: soundsLike }))
        printResult(entry, () => line(entry))
      }),
    )
  remoteFlags(vocabulary.command("remove <id>"))
    .description("remove an entry; transcripts stay as they are")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        await api.deleteVocabulary(id)
        printResult({ id }, () => `removed ${id}`)
      }),
    )
  remoteFlags(vocabulary.command("suggest"))
    .description("list corrections that an entry would make by itself")
    .action((flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const { suggestions } = await api.vocabularySuggestions()
        const show = ({ count, term, sounds_like }: (typeof suggestions)[number]) =>
          `${count}×  ${sounds_like} → ${term}`
        printResult({ suggestions }, () => suggestions.map(show).join("\n") || "no suggestions")
      }),
    )
}
