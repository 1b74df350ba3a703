import type { Command } from "commander"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"
import { createFileCounter } from "../progress.ts"

export const addIngest = (program: Command): void => {
  program
    .command("ingest")
    .argument("<paths...>", "files or folders")
    .description("add documents for questions; unchanged files are skipped")
    .option("--prune", "remove documents of these paths whose files no longer exist")
    .action(async (paths: string[], flags: { prune?: boolean }) => {
      const earmark = new Earmark(settings())
      const counter = createFileCounter()
      try {
        const result = await earmark.ingest(paths, {
          prune: flags.prune === true,
          onProgress: ({ files, path }) => counter.update(files, path),
        })
        counter.end()
        printResult(result, () =>
          [
            `${result.ingested} ingested (${result.chunks} chunks), ${result.unchanged} unchanged, ${result.skipped} skipped (unsupported format), ${result.pruned} removed`,
            ...result.failed.map(({ detail }) => `failed: ${detail}`),
          ].join("\n"),
        )
      } finally {
        counter.end()
        await earmark.close()
      }
    })
}
