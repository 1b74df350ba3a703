import type { Command } from "commander"
import { type Clip, type ClipEntry, clipPatch, clipsQuery } from "#lib/domain/clips.ts"
import { labelRequest } from "#lib/domain/tags.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { confirm } from "../confirm.ts"
import { parseFlags } from "../flags.ts"
import { formatTime, printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"
import { formatNumberedTree } from "../tree.ts"

const line = ({ id, created_at, duration_s, title, tags, favorite }: ClipEntry): string => {
  const labels = [...(favorite ? ["★"] : []), ...tags.map((tag) => `#${tag}`)].map((label) => `  ${label}`)
  return `${id}  ${created_at.slice(0, 10)}  ${formatTime(duration_s).padStart(8)}  ${title}${labels.join("")}`
}

const details = (clip: Clip): string => {
  const { id, title, source_url, file_path, duration_s, language, speech_engine, speakers, voices, tags, tree } = clip
  const names = Object.values(speakers)
  const rows: [string, string | null][] = [
    ["clip", id],
    ["source", source_url ?? file_path],
    ["length", formatTime(duration_s)],
    ["language", language],
    ["transcript", `${clip.transcription.length} words${speech_engine === null ? "" : ` by ${speech_engine}`}`],
    ["tags", tags.length > 0 ? tags.join(", ") : null],
    ["favorite", clip.favorite ? "yes" : null],
    ["speakers", `${voices}${names.length > 0 ? ` (${names.join(", ")})` : ""}`],
  ]
  const known = rows.filter((row): row is [string, string] => row[1] !== null)
  return [title, ...known.map(([name, value]) => `  ${name.padEnd(11)} ${value}`), "", formatNumberedTree(tree)].join(
    "\n",
  )
}

type ListFlags = { limit: string; cursor?: string; tag?: string; favorite?: boolean }
type TagFlags = { add?: string[]; remove?: string[]; favorite?: boolean }

export const addClips = (program: Command): void => {
  const clips = program.command("clips").description("list, show, rename, tag and delete clips")
  remoteFlags(clips.command("list", { isDefault: true }))
    .description("list clips, newest first")
    .option("--limit <n>", "maximum number", "20")
    .option("--cursor <text>", "next_cursor of the previous page")
    .option("--tag <name>", "only clips with this tag, or with all of several separated by commas")
    .option("--favorite", "only favorites")
    .option("--no-favorite", "only clips that are no favorites")
    .action((flags: RemoteFlags & ListFlags) =>
      withApi(flags, async (api) => {
        const { limit, cursor, tag } = flags
        const favorite = flags.favorite === undefined ? undefined : String(flags.favorite)
        const page = await api.clips(parseFlags(clipsQuery, { limit, cursor, tag, favorite }))
        const more = page.next_cursor === undefined ? [] : [`more: --cursor ${page.next_cursor}`]
        printResult(page, () => (page.clips.length > 0 ? [...page.clips.map(line), ...more].join("\n") : "no clips"))
      }),
    )
  remoteFlags(clips.command("show").argument("<clip>", CLIP_ARGUMENT))
    .description("show a clip with its topics")
    .action((given: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const clip = await api.clip(toClipId(given))
        printResult(clip, () => details(clip))
      }),
    )
  remoteFlags(clips.command("rename").argument("<clip>", CLIP_ARGUMENT).argument("<title>"))
    .description("change the title of a clip")
    .action((given: string, title: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const clip = await api.editClip(toClipId(given), parseFlags(clipPatch, { title }, { title: "the title" }))
        printResult({ id: clip.id, title: clip.title }, () => `${clip.id}  ${clip.title}`)
      }),
    )
  remoteFlags(clips.command("tag").argument("<clips...>", CLIP_ARGUMENT))
    .description("add or remove tags of clips, or mark clips as favorites")
    .option("--add <tags...>", "tags to add")
    .option("--remove <tags...>", "tags to remove")
    .option("--favorite", "mark as favorites")
    .option("--no-favorite", "remove the mark")
    .action((given: string[], flags: RemoteFlags & TagFlags) =>
      withApi(flags, async (api) => {
        const { add: add_tags, remove: remove_tags, favorite } = flags
        const names = { ids: "the clips", add_tags: "--add", remove_tags: "--remove" }
        const request = { ids: given.map(toClipId), add_tags, remove_tags, favorite }
        const result = await api.labelClips(parseFlags(labelRequest, request, names))
        printResult(result, () =>
          [
            ...result.updated.map((id) => `changed ${id}`),
            ...result.unchanged.map((id) => `unchanged ${id}`),
            ...result.failed.map(({ id, detail }) => `failed ${id}: ${detail}`),
          ].join("\n"),
        )
        if (result.failed.length > 0) process.exitCode = 1
      }),
    )
  remoteFlags(clips.command("tags"))
    .description("list the tags with the number of clips that have each")
    .action((flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const { tags } = await api.tags()
        printResult({ tags }, () =>
          tags.length > 0
            ? tags.map(({ name, clips }) => `${String(clips).padStart(5)}  ${name}`).join("\n")
            : "no tags",
        )
      }),
    )
  remoteFlags(clips.command("delete").argument("<clips...>", CLIP_ARGUMENT))
    .description("delete clips with their jobs, topics and uploads; files at a path of yours are kept")
    .option("--yes", "do not ask for confirmation")
    .action((given: string[], flags: RemoteFlags & { yes?: boolean }) =>
      withApi(flags, async (api) => {
        const ids = given.map(toClipId)
        if (!flags.yes && !(await confirm(`Delete ${ids.length === 1 ? ids[0] : `${ids.length} clips`}?`))) return
        const deleted: string[] = []
        for (const id of ids) {
          await api.deleteClip(id)
          deleted.push(id)
        }
        printResult({ deleted }, () => deleted.map((id) => `deleted ${id}`).join("\n"))
      }),
    )
}
