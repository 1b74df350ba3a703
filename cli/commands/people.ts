import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import {
  type ClipSpeaker,
  clipSpeakerPatch,
  type Person,
  type PersonClip,
  peopleQuery,
  personKey,
  personPatch,
  personSplit,
} from "#lib/domain/people/people.ts"
import { searchQuery } from "#lib/domain/search.ts"
import type { Api } from "#lib/services/local-api.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { confirm } from "../confirm.ts"
import { parseFlags } from "../flags.ts"
import { formatTime, printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

const PERSON_ARGUMENT = "name or ID of a person"

/** Returns the ID of the person with a name or an ID. @throws AppError `not_found` */
const toPersonId = async (api: Api, given: string): Promise<string> => {
  const { people } = await api.people({ q: given.slice(0, 200), limit: 200 })
  return people.find(({ name }) => personKey(name) === personKey(given))?.id ?? (await api.person(given)).id
}

const line = ({ id, name, clips, speaking_s }: Person): string =>
  `${id}  ${String(clips).padStart(5)} clips  ${formatTime(speaking_s).padStart(9)}  ${name}`

const clipLine = ({ clip_id, clip_title, speakers }: PersonClip): string => {
  const isAutomatic = speakers.every(({ state }) => state === "automatic")
  const speaking_s = speakers.reduce((sum, speaker) => sum + speaker.speaking_s, 0)
  return `  ${clip_id}  ${formatTime(speaking_s).padStart(9)}  ${clip_title}${isAutomatic ? "  (automatic)" : ""}`
}

const speakerLine = ({ speaker, name, person, suggestions }: ClipSpeaker): string => {
  const automatic = person?.state === "automatic" ? "  (automatic)" : ""
  const suggested = suggestions.map(({ name, score }) => `${name} (${score.toFixed(2)})`).join(", ")
  return `${speaker.padStart(3)}  ${name ?? "-"}${automatic}${suggested === "" ? "" : `  perhaps ${suggested}`}`
}

type ListFlags = RemoteFlags & { readonly limit: string; readonly cursor?: string; readonly q?: string }

export const addPeople = (program: Command): void => {
  const people = program
    .command("people")
    .description("list, name, merge, split and delete the people who speak in clips")
  remoteFlags(people.command("list", { isDefault: true }))
    .description("list people by name")
    .option("--q <text>", "only people whose name contains this text")
    .option("--limit <n>", "maximum number", "50")
    .option("--cursor <text>", "next_cursor of the previous page")
    .action(({ q, limit, cursor, ...flags }: ListFlags) =>
      withApi(flags, async (api) => {
        const page = await api.people(parseFlags(peopleQuery, { q, limit, cursor }))
        const more = page.next_cursor === undefined ? [] : [`more: --cursor ${page.next_cursor}`]
        printResult(page, () => (page.people.length > 0 ? [...page.people.map(line), ...more].join("\n") : "no people"))
      }),
    )
  remoteFlags(people.command("show").argument("<person>", PERSON_ARGUMENT))
    .description("show a person with the newest clips")
    .action((given: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const id = await toPersonId(api, given)
        const [person, { clips }] = [await api.person(id), await api.personClips(id, { limit: 50 })]
        printResult({ ...person, recent_clips: clips }, () => [line(person), ...clips.map(clipLine)].join("\n"))
      }),
    )
  remoteFlags(people.command("search").argument("<person>", PERSON_ARGUMENT).argument("<words...>"))
    .description("find what a person says about something")
    .option("--limit <n>", "maximum number", "12")
    .action((given: string, words: string[], { limit, ...flags }: RemoteFlags & { readonly limit: string }) =>
      withApi(flags, async (api) => {
        const query = parseFlags(searchQuery, { q: words.join(" "), limit }, { q: "the words" })
        const found = await api.personWords(await toPersonId(api, given), query)
        const describe = (hit: (typeof found)["words"][number]) =>
          `${formatTime(hit.start_s).padStart(9)}  ${hit.clip_title}\n           ${hit.text}`
        printResult(found, () => found.words.map(describe).join("\n") || "nothing found")
      }),
    )
  remoteFlags(people.command("speakers").argument("<clip>", CLIP_ARGUMENT))
    .description("list the speakers of a clip with who they are and who they may be")
    .action((given: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const { speakers } = await api.clipSpeakers(toClipId(given))
        printResult({ speakers }, () => speakers.map(speakerLine).join("\n") || "no speakers")
      }),
    )
  remoteFlags(people.command("name").argument("<clip>", CLIP_ARGUMENT).argument("<speaker>").argument("[name]"))
    .description("name a speaker of a clip, or remove the name")
    .action((given: string, speaker: string, name: string | undefined, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const change = name === undefined ? { person_id: null } : { name }
        const patch = parseFlags(clipSpeakerPatch, change, { name: "the name" })
        const { speakers } = await api.editClipSpeaker(toClipId(given), speaker, patch)
        printResult({ speakers }, () => speakers.map(speakerLine).join("\n"))
      }),
    )
  remoteFlags(people.command("rename").argument("<person>", PERSON_ARGUMENT).argument("<name>"))
    .description("rename a person in all clips")
    .action((given: string, name: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const patch = parseFlags(personPatch, { name }, { name: "the name" })
        const person = await api.renamePerson(await toPersonId(api, given), patch)
        printResult(person, () => line(person))
      }),
    )
  remoteFlags(people.command("merge").argument("<into>", PERSON_ARGUMENT).argument("<people...>", PERSON_ARGUMENT))
    .description("merge people into the first one, whose name their clips get")
    .action((into: string, given: string[], flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const from = await Promise.all(given.map((one) => toPersonId(api, one)))
        const person = await api.mergePeople(await toPersonId(api, into), { from })
        printResult(person, () => line(person))
      }),
    )
  remoteFlags(
    people
      .command("split")
      .argument("<person>", PERSON_ARGUMENT)
      .argument("<name>", "name of the new person")
      .argument("<speakers...>", "clips and speakers that are the new person, such as SESSION_ID:1"),
  )
    .description("make some speakers of a person a new person")
    .action((given: string, name: string, refs: string[], flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const speakers = refs.map((ref) => {
          const at = ref.lastIndexOf(":")
          if (at < 1)
            throw new AppError("invalid", `${ref}: write the clip, a colon and the speaker, such as SESSION_ID:1`)
          return { clip_id: toClipId(ref.slice(0, at)), speaker: ref.slice(at + 1) }
        })
        const request = parseFlags(personSplit, { name, speakers }, { name: "the name", speakers: "the speakers" })
        const person = await api.splitPerson(await toPersonId(api, given), request)
        printResult(person, () => line(person))
      }),
    )
  remoteFlags(people.command("delete").argument("<person>", PERSON_ARGUMENT))
    .description("delete a person everywhere: the name in all clips and the speaker embeddings")
    .option("--yes", "do not ask for confirmation")
    .action((given: string, { yes, ...flags }: RemoteFlags & { readonly yes?: boolean }) =>
      withApi(flags, async (api) => {
        const id = await toPersonId(api, given)
        if (!yes && !(await confirm(`Delete ${given}? The name is removed from all clips.`))) return
        await api.deletePerson(id)
        printResult({ deleted: [id] }, () => `deleted ${id}`)
      }),
    )
}
