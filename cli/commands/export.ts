import { writeFile } from "node:fs/promises"
import { type Command, Option } from "commander"
import type { ExportFormat } from "#lib/domain/clips.ts"
import { EXPORT_FORMATS } from "#lib/domain/constants.ts"
import { exportClip } from "#lib/services/clips/export-clip.ts"
import { withNode } from "../node.ts"

export const addExport = (program: Command): void => {
  program
    .command("export <clip>")
    .description("a clip as subtitles, text, chapters or data, with the speakers' names")
    .addOption(new Option("--format <name>", "what to write").choices(EXPORT_FORMATS).default("srt"))
    .option("--out <file>", "write into this file instead of to stdout")
    .action((id: string, { format, out }: { format: ExportFormat; out?: string }) =>
      withNode(async (node) => {
        const { text } = await exportClip(node, { id }, format)
        if (out === undefined) process.stdout.write(text)
        else await writeFile(out, text)
      }),
    )
}
