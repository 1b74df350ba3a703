import { type Command, Option } from "commander"
import { HIGHLIGHT_COLORS } from "#lib/domain/constants.ts"
import { toNotesMarkdown } from "#lib/domain/export/notes.ts"
import { type Note, noteRequest, notesQuery } from "#lib/domain/notes.ts"
import type { Api } from "#lib/services/local-api.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { parseFlags } from "../flags.ts"
import { formatTime, printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"
import { parseTime } from "./topics-structure.ts"

type FilterFlags = RemoteFlags & {
  readonly clip?: string
  readonly search?: string
  readonly color?: string
  readonly kind?: string
}
type AddFlags = RemoteFlags & {
  readonly clip?: string
  readonly from?: number
  readonly to?: number
  readonly color?: string
}

const PAGE_SIZE = 1000

const line = ({ id, clip_title, start_s, quote, text }: Note): string => {
  const place = clip_title === null ? "Library" : `${clip_title}${start_s === null ? "" : ` ${formatTime(start_s)}`}`
  return [
    `${id}  ${place}`,
    ...(quote === null ? [] : [`    “${quote}”`]),
    ...(text === "" ? [] : [`    ${text}`]),
  ].join("\n")
}

const filterFlags = (command: Command): Command =>
  remoteFlags(command)
    .option("--clip <clip>", "only notes of this clip")
    .option("--search <words>", "only notes that contain these words")
    .addOption(new Option("--color <color>", "only words with this color").choices(HIGHLIGHT_COLORS))
    .addOption(new Option("--kind <kind>", "only highlights without a text, or notes").choices(["highlight", "note"]))

const toQuery = ({ clip, search, color, kind }: FilterFlags) =>
  parseFlags(
    notesQuery,
    { clip_id: clip === undefined ? undefined : toClipId(clip), q: search, color, kind, limit: PAGE_SIZE },
    { q: "--search", clip_id: "--clip" },
  )

const collect = async (api: Api, flags: FilterFlags): Promise<Note[]> => {
  const query = toQuery(flags)
  const notes: Note[] = []
  let cursor: string | undefined
  do {
    const page = await api.notes({ ...query, cursor })
    notes.push(...page.notes)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return notes
}

export const addNotes = (program: Command): void => {
  const notes = program.command("notes").description("list, write, export and delete highlights and notes")
  filterFlags(notes.command("list", { isDefault: true }))
    .description("list highlights and notes, newest first")
    .action((flags: FilterFlags) =>
      withApi(flags, async (api) => {
        const listed = await collect(api, flags)
        printResult({ notes: listed }, () => listed.map(line).join("\n") || "no notes")
      }),
    )
  remoteFlags(notes.command("add [text]"))
    .description("write a note, or highlight words of a clip")
    .option("--clip <clip>", CLIP_ARGUMENT)
    .option("--from <time>", "where the words start: seconds or minutes:seconds", parseTime)
    .option("--to <time>", "where the words end", parseTime)
    .addOption(new Option("--color <color>", "color of the words").choices(HIGHLIGHT_COLORS))
    .action((text: string | undefined, { clip, from, to, color, ...flags }: AddFlags) =>
      withApi(flags, async (api) => {
        const request = parseFlags(
          noteRequest,
          { text, clip_id: clip === undefined ? undefined : toClipId(clip), start_s: from, end_s: to, color },
          { start_s: "--from", end_s: "--to", clip_id: "--clip" },
        )
        const note = await api.createNote(request)
        printResult(note, () => line(note))
      }),
    )
  filterFlags(notes.command("export"))
    .description("print highlights and notes as Markdown, grouped by recording")
    .action((flags: FilterFlags) =>
      withApi(flags, async (api) => {
        process.stdout.write(toNotesMarkdown(await collect(api, flags)))
      }),
    )
  remoteFlags(notes.command("delete <id>"))
    .description("delete a highlight or note")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        await api.deleteNote(id)
        printResult({ deleted: id }, () => `Deleted ${id}.`)
      }),
    )
}
