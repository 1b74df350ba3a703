#!/usr/bin/env node
import { Command, CommanderError } from "commander"
import { packageVersion } from "#lib/platform/package-root.ts"
import { forceJson, reportFailure } from "./output.ts"
import { refuseRemote } from "./refuse-remote.ts"

/** Adds each command to the program, in the order of the help. A command is loaded only if it is used. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import("./commands/serve.ts")).addServe,
  worker: async () => (await import("./commands/worker.ts")).addWorker,
  transcribe: async () => (await import("./commands/transcribe.ts")).addTranscribe,
  "generate-topics": async () => (await import("./commands/generate-topics.ts")).addGenerateTopics,
  blocks: async () => (await import("./commands/blocks.ts")).addBlocks,
  ingest: async () => (await import("./commands/ingest.ts")).addIngest,
  query: async () => (await import("./commands/query.ts")).addQuery,
  threads: async () => (await import("./commands/threads.ts")).addThreads,
  search: async () => (await import("./commands/search.ts")).addSearch,
  clips: async () => (await import("./commands/clips.ts")).addClips,
  people: async () => (await import("./commands/people.ts")).addPeople,
  jobs: async () => (await import("./commands/jobs.ts")).addJobs,
  "dead-letters": async () => (await import("./commands/dead-letters.ts")).addDeadLetters,
  topics: async () => (await import("./commands/topics.ts")).addTopics,
  feed: async () => (await import("./commands/feed.ts")).addFeed,
  export: async () => (await import("./commands/export.ts")).addExport,
  notes: async () => (await import("./commands/notes.ts")).addNotes,
  summaries: async () => (await import("./commands/summaries.ts")).addSummaries,
  models: async () => (await import("./commands/models.ts")).addModels,
  mcp: async () => (await import("./commands/mcp.ts")).addMcp,
  engines: async () => (await import("./commands/engines.ts")).addEngines,
  store: async () => (await import("./commands/store.ts")).addStore,
  token: async () => (await import("./commands/token.ts")).addToken,
  shares: async () => (await import("./commands/shares.ts")).addShares,
  replace: async () => (await import("./commands/replace.ts")).addReplace,
  replacements: async () => (await import("./commands/replace.ts")).addReplacements,
  vocabulary: async () => (await import("./commands/vocabulary.ts")).addVocabulary,
  tokens: async () => (await import("./commands/tokens.ts")).addTokens,
  webhooks: async () => (await import("./commands/webhooks.ts")).addWebhooks,
  evaluate: async () => (await import("./commands/evaluate.ts")).addEvaluate,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctor,
  demo: async () => (await import("./commands/demo.ts")).addDemo,
  completion: async () => (await import("./commands/completion.ts")).addCompletion,
}

/** The commands that print no results, or results in a format of their own. */
const WITHOUT_JSON = ["serve", "mcp", "demo", "completion", "export"]

/** The commands on the store of this machine that cannot use a remote service. */
const LOCAL_STORE = ["engines", "store", "dead-letters"]

const takesUrl = (command: Command): boolean => command.options.some(({ long }) => long === "--url")

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
  // Completion lists all commands.
  const named = argv[2] === "completion" ? undefined : COMMANDS[argv[2] ?? ""]
  const loading = named ? [named()] : Object.values(COMMANDS).map((load) => load())
  for (const add of await Promise.all(loading)) add(program)
  for (const command of program.commands)
    for (const leaf of listLeaves(command))
      if (!takesUrl(leaf)) refuseRemote(leaf, LOCAL_STORE.includes(command.name()))
  for (const command of listLeaves(program)) if (!WITHOUT_JSON.includes(command.name())) addJsonFlag(command)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else process.exitCode = reportFailure(error)
  }
}

await main(process.argv)
