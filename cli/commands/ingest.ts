import type { Command } from "commander"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"
import { fileCounter } from "../progress.ts"

export const addIngest = (program: Command): void => {
  program
    .command("ingest")
    .argument("<paths...>", "files or folders")
    .description("take documents for questions; unchanged files cost nothing")
    .option("--prune", "forget documents of these paths whose files are gone")
    .action(async (paths: string[], flags: { prune?: boolean }) => {
      const earmark = new Earmark(settings())
      const counter = fileCounter()
      try {
        const result = await earmark.ingest(paths, {
          prune: flags.prune === true,
          onProgress: ({ files, path }) => counter.update(files, path),
        })
        counter.end()
        printResult(result, () =>
          [
            `${result.ingested} ingested (${result.chunks} passages), ${result.unchanged} unchanged, ${result.skipped} of no readable format, ${result.pruned} forgotten`,
            ...result.failed.map(({ detail }) => `failed: ${detail}`),
          ].join("\n"),
        )
      } finally {
        counter.end()
        await earmark.close()
      }
    })
}
