import { createInterface } from "node:readline/promises"
import type { Command } from "commander"
import { type Clip, type ClipEntry, clipPatch, clipsQuery } from "#lib/domain/clips.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { parseFlags } from "../flags.ts"
import { formatTime, printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"
import { formatNumberedTree } from "../tree.ts"

const line = (clip: ClipEntry): string =>
  `${clip.id}  ${clip.created_at.slice(0, 10)}  ${formatTime(clip.duration_s).padStart(8)}  ${clip.title}`

const details = (clip: Clip): string => {
  const { id, title, source_url, file_path, duration_s, language, speech_engine, speakers, voices, tree } = clip
  const names = Object.values(speakers)
  const rows: [string, string | null][] = [
    ["clip", id],
    ["source", source_url ?? file_path],
    ["length", formatTime(duration_s)],
    ["language", language],
    ["transcript", `${clip.transcription.length} words${speech_engine === null ? "" : ` by ${speech_engine}`}`],
    ["speakers", `${voices}${names.length > 0 ? ` (${names.join(", ")})` : ""}`],
  ]
  const known = rows.filter((row): row is [string, string] => row[1] !== null)
  return [title, ...known.map(([name, value]) => `  ${name.padEnd(11)} ${value}`), "", formatNumberedTree(tree)].join(
    "\n",
  )
}

/** Asks a person for confirmation. A program is not asked. */
const confirm = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

export const addClips = (program: Command): void => {
  const clips = program.command("clips").description("list, show, rename and delete clips")
  remoteFlags(clips.command("list", { isDefault: true }))
    .description("list clips, newest first")
    .option("--limit <n>", "maximum number", "20")
    .option("--cursor <text>", "next_cursor of the previous page")
    .action((flags: RemoteFlags & { limit: string; cursor?: string }) =>
      withApi(flags, async (api) => {
        const page = await api.clips(parseFlags(clipsQuery, { limit: flags.limit, cursor: flags.cursor }))
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
