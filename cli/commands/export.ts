import { writeFile } from "node:fs/promises"
import { type Command, Option } from "commander"
import type { ExportFormat } from "#lib/domain/clips.ts"
import { EXPORT_FORMATS } from "#lib/domain/constants.ts"
import { AppError } from "#lib/domain/errors.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

type Flags = RemoteFlags & { format: ExportFormat; out?: string }

/** @throws AppError `invalid` with the reason of the system */
const writeTo = (file: string, text: string): Promise<void> =>
  writeFile(file, text).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "ENOENT" ? "its folder does not exist" : (cause.code ?? cause.message)
    throw new AppError("invalid", `--out ${file}: couldn't write the file (${reason}).`, { cause })
  })

export const addExport = (program: Command): void => {
  remoteFlags(program.command("export").argument("<clip>", CLIP_ARGUMENT))
    .description("write a clip as subtitles, text, chapters or data, with speaker names")
    .addOption(new Option("--format <name>", "output format").choices(EXPORT_FORMATS).default("srt"))
    .option("--out <file>", "write to this file instead of stdout")
    .action((given: string, flags: Flags) =>
      withApi(flags, async (api) => {
        const text = await api.exportClip(toClipId(given), flags.format)
        if (flags.out === undefined) process.stdout.write(text)
        else await writeTo(flags.out, text)
      }),
    )
}
