import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"
import { createFileCounter } from "../progress.ts"
import { openRemote, type RemoteFlags, remoteFlags } from "../remote.ts"
import { uploadDocuments } from "../remote-documents.ts"

type Flags = RemoteFlags & { readonly prune?: boolean }
type Counter = ReturnType<typeof createFileCounter>

const ingest = async (paths: string[], { prune = false, ...flags }: Flags, counter: Counter) => {
  const remote = openRemote(flags)
  if (remote) {
    if (prune)
      throw new AppError(
        "invalid",
        "--prune does not go with --url: a service keeps what was uploaded. Delete documents on its page /ask.",
      )
    return uploadDocuments(remote, paths, counter.update)
  }
  const earmark = new Earmark(settings())
  try {
    return await earmark.ingest(paths, { prune, onProgress: ({ files, path }) => counter.update(files, path) })
  } finally {
    await earmark.close()
  }
}

export const addIngest = (program: Command): void => {
  remoteFlags(program.command("ingest").argument("<paths...>", "files or folders"))
    .description("add documents for questions; unchanged files are skipped")
    .option("--prune", "remove documents of these paths whose files no longer exist")
    .action(async (paths: string[], flags: Flags) => {
      const counter = createFileCounter()
      try {
        const result = await ingest(paths, flags, counter)
        counter.end()
        printResult(result, () =>
          [
            `${result.ingested} ingested (${result.chunks} chunks), ${result.unchanged} unchanged, ${result.skipped} skipped (unsupported format), ${result.pruned} removed`,
            ...result.failed.map(({ detail }) => `failed: ${detail}`),
          ].join("\n"),
        )
      } finally {
        counter.end()
      }
    })
}
