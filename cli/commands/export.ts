import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { type Command, Option } from "commander"
import type { ExportFormat } from "#lib/domain/clips.ts"
import { EXPORT_FORMATS } from "#lib/domain/constants.ts"
import { AppError } from "#lib/domain/errors.ts"
import { exportLibrary } from "#lib/services/export/export-library.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { withNode } from "../node.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

type Flags = RemoteFlags & {
  readonly format: ExportFormat
  readonly out?: string
  readonly withAudio?: true
  readonly withNotes?: true
  readonly withSummaries?: true
  readonly all?: true
  readonly words?: true
  readonly text?: true
}

/** @throws AppError `invalid` with the reason of the system */
const write = (
  content: Iterable<string | Uint8Array> | AsyncIterable<string>,
  file: string | undefined,
): Promise<void> =>
  file === undefined
    ? pipeline(Readable.from(content), process.stdout, { end: false })
    : pipeline(Readable.from(content), createWriteStream(file)).catch((cause: NodeJS.ErrnoException) => {
        if (cause.syscall !== "open") throw cause
        const reason = cause.code === "ENOENT" ? "its folder does not exist" : (cause.code ?? cause.message)
        throw new AppError("invalid", `--out ${file}: couldn't write the file (${reason}).`, { cause })
      })

async function* toLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}

const writeLibrary = ({ url, out, words, text }: Flags): Promise<void> => {
  if (url !== undefined)
    throw new AppError("invalid", `--all: reads the local library. Download ${url}/export to export a remote one.`)
  const include = [...(words ? (["words"] as const) : []), ...(text ? (["text"] as const) : [])]
  return withNode((node) => write(toLines(exportLibrary(node, { include })), out))
}

export const addExport = (program: Command): void => {
  remoteFlags(program.command("export").argument("[clip]", CLIP_ARGUMENT))
    .description("write a clip as subtitles, text, chapters or data, with speaker names, or the whole library")
    .addOption(new Option("--format <name>", "output format").choices(EXPORT_FORMATS).default("srt"))
    .option("--with-notes", "add highlights and notes (md, json, html, docx, pdf)")
    .option("--with-summaries", "add the summaries made from templates (md, json, html, docx, pdf)")
    .option("--with-audio", "with --format html: put the recording into the page")
    .option("--all", "write the whole library, one JSON object per line")
    .option("--words", "with --all: include the words of clips")
    .option("--text", "with --all: include the text of documents")
    .option("--out <file>", "write to this file instead of stdout")
    .action(async (given: string | undefined, flags: Flags) => {
      if ((flags.all === true) === (given !== undefined))
        throw new AppError("invalid", "Name a clip, or use --all for the whole library.")
      if (given === undefined) return writeLibrary(flags)
      return withApi(flags, async (api) => {
        const { format, withAudio = false, withNotes = false, withSummaries = false, out } = flags
        return write([await api.exportFile(toClipId(given), format, { withAudio, withNotes, withSummaries })], out)
      })
    })
}
