#!/usr/bin/env node
import { Command, CommanderError } from "commander"
import { packageVersion } from "#lib/platform/package-root.ts"
import { addBlocks } from "./commands/blocks.ts"
import { addClips } from "./commands/clips.ts"
import { addCompletion } from "./commands/completion.ts"
import { addDeadLetters } from "./commands/dead-letters.ts"
import { addDemo } from "./commands/demo.ts"
import { addDoctor } from "./commands/doctor.ts"
import { addEngines } from "./commands/engines.ts"
import { addExport } from "./commands/export.ts"
import { addFeed } from "./commands/feed.ts"
import { addGenerateTopics } from "./commands/generate-topics.ts"
import { addIngest } from "./commands/ingest.ts"
import { addJobs } from "./commands/jobs.ts"
import { addMcp } from "./commands/mcp.ts"
import { addModels } from "./commands/models.ts"
import { addQuery } from "./commands/query.ts"
import { addSearch } from "./commands/search.ts"
import { addServe } from "./commands/serve.ts"
import { addStore } from "./commands/store.ts"
import { addToken } from "./commands/token.ts"
import { addTokens } from "./commands/tokens.ts"
import { addTopics } from "./commands/topics.ts"
import { addTranscribe } from "./commands/transcribe.ts"
import { addWebhooks } from "./commands/webhooks.ts"
import { addWorker } from "./commands/worker.ts"
import { forceJson, reportFailure } from "./output.ts"

/** The commands that print no results, or results in a format of their own. */
const WITHOUT_JSON = ["serve", "mcp", "demo", "completion", "export"]

const listLeaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap((child) => listLeaves(child as Command))

const addJsonFlag = (command: Command): Command =>
  command.option("--json", "print JSON, as into a pipe").hook("preAction", () => {
    if (command.opts().json === true) forceJson()
  })

/** Runs a command. Exit codes: 0 success, 1 failure, 2 usage error. Results go to stdout, everything else to stderr. */
const main = async (argv: string[]): Promise<void> => {
  const program = new Command("earmark")
    .description("Turns recordings into a map of what was talked about.")
    .version(packageVersion(), "-V, --version", "print the package version")
    .showHelpAfterError("(run earmark --help for a list of commands)")
    .exitOverride()
  for (const add of [
    addServe,
    addWorker,
    addTranscribe,
    addGenerateTopics,
    addBlocks,
    addIngest,
    addQuery,
    addSearch,
    addClips,
    addJobs,
    addDeadLetters,
    addTopics,
    addFeed,
    addExport,
    addModels,
    addMcp,
    addEngines,
    addStore,
    addToken,
    addTokens,
    addWebhooks,
    addDoctor,
    addDemo,
    addCompletion,
  ])
    add(program)
  for (const command of listLeaves(program)) if (!WITHOUT_JSON.includes(command.name())) addJsonFlag(command)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else process.exitCode = reportFailure(error)
  }
}

await main(process.argv)
