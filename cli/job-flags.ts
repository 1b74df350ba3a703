import { Command, InvalidArgumentError } from "commander"
import type { z } from "zod"
import { AppError } from "#lib/domain/errors.ts"
import { type JobOptions, jobOptions } from "#lib/domain/jobs/jobs.ts"
import { formatIssue } from "#lib/domain/validation-messages.ts"

const number = (text: string): number => {
  const value = Number(text)
  if (text.trim() === "" || Number.isNaN(value)) throw new InvalidArgumentError("Must be a number.")
  return value
}

/** Adds a term such as "Kubernetes=cuban eddies, cooper netties" to those of the flags before. */
const collectTerm = (text: string, before: readonly object[] = []): readonly object[] => {
  const [term = "", heard = ""] = text.split("=", 2)
  return [...before, { term, sounds_like: heard.split(",").filter((phrase) => phrase.trim() !== "") }]
}

/** Adds the job options that concern topics as flags. */
export const topicFlags = (command: Command): Command =>
  command
    .option("--llm-model <name>", "language model of the provider")
    .option("--provider <name>", "auto, ollama, openai or builtin", "auto")
    .option("--max-concurrency <n>", "maximum number of concurrent model calls", number)
    .option("--num-ctx-l1 <n>", "context length for finding topics, in tokens", number)
    .option("--num-ctx-fanout <n>", "context length for all other calls, in tokens", number)
    .option("--topic-detail <detail>", "fewer, normal or more topics", "normal")
    .option("--min-subdivide-duration-s <n>", "shorter topics get no subtopics", number)
    .option("--boundary-block-seconds <n>", "length of the blocks in which the model reads the transcript", number)
    .option("--reasoning", "let a reasoning model think")

/** Adds all job options as flags, with the names and limits of the HTTP API. */
export const jobFlags = (command: Command): Command =>
  topicFlags(
    command
      .option("--title <text>", "title of the recording")
      .option("--language <code>", 'language of the speech; "" detects it (default: "en")')
      .option("--whisper-model <name>", "transcription model")
      .option("--speech-engine <name>", "auto, sherpa, openai or pocketsphinx", "auto")
      .option("--speakers <n>", "number of speakers, if known", number)
      .option(
        "--vocabulary <term>",
        'name or term of the recording, or "<term>=<what is heard>, …"; may be repeated',
        collectTerm,
      ),
  ).option("--force-retranscribe", "transcribe even if a transcript exists")

/** Leaves the flags that concern topics out of the help of a command that prints no topics. They are still accepted. */
export const hideTopicFlags = (command: Command): Command => {
  const hidden = topicFlags(new Command()).options.map(({ long }) => long)
  for (const option of command.options) if (hidden.includes(option.long)) option.hideHelp()
  return command
}

const FLAGS: Record<string, keyof JobOptions> = {
  title: "title",
  language: "language",
  whisperModel: "whisper_model",
  llmModel: "llm_model",
  provider: "provider",
  speechEngine: "speech_engine",
  speakers: "speakers",
  vocabulary: "vocabulary",
  maxConcurrency: "max_concurrency",
  numCtxL1: "num_ctx_l1",
  numCtxFanout: "num_ctx_fanout",
  topicDetail: "topic_detail",
  minSubdivideDurationS: "min_subdivide_duration_s",
  boundaryBlockSeconds: "boundary_block_seconds",
  reasoning: "reasoning",
  forceRetranscribe: "force_retranscribe",
}

/** Converts the given flags to job options and validates them. @throws AppError that names a wrong flag */
export const parseJobOptions = (flags: Record<string, unknown>): z.input<typeof jobOptions> => {
  const given: z.input<typeof jobOptions> = Object.fromEntries(
    Object.entries(FLAGS).flatMap(([flag, name]) => (flags[flag] === undefined ? [] : [[name, flags[flag]]])),
  )
  const parsed = jobOptions.safeParse(given)
  if (parsed.success) return given
  const issue = parsed.error.issues[0]
  const flag = `--${String(issue?.path[0] ?? "").replaceAll("_", "-")}`
  throw new AppError("invalid", `${flag} ${issue ? formatIssue(issue) : "is not valid"}`)
}
