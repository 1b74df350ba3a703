import { writeFile } from "node:fs/promises"
import { type Command, Option } from "commander"
import type { ExportFormat } from "#lib/domain/clips.ts"
import { EXPORT_FORMATS } from "#lib/domain/constants.ts"
import { exportClip } from "#lib/services/clips/clips.ts"
import { withNode } from "../node.ts"

export const addExport = (program: Command): void => {
  program
    .command("export <clip>")
    .description("write a clip as subtitles, text, chapters or data, with speaker names")
    .addOption(new Option("--format <name>", "output format").choices(EXPORT_FORMATS).default("srt"))
    .option("--out <file>", "write to this file instead of stdout")
    .action((id: string, { format, out }: { format: ExportFormat; out?: string }) =>
      withNode(async (node) => {
        const { text } = await exportClip(node, { id }, format)
        if (out === undefined) process.stdout.write(text)
        else await writeFile(out, text)
      }),
    )
}
