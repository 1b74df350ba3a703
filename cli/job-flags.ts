import { type Command, InvalidArgumentError } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { type JobOptions, jobOptions } from "#lib/domain/jobs/jobs.ts"
import { issueText } from "#lib/domain/validation-messages.ts"

const number = (text: string): number => {
  const value = Number(text)
  if (text.trim() === "" || Number.isNaN(value)) throw new InvalidArgumentError("give a number")
  return value
}

/** What of the options of a job concerns the topics alone, as flags. */
export const topicFlags = (command: Command): Command =>
  command
    .option("--llm-model <name>", "language model of the provider")
    .option("--provider <name>", "auto, ollama or builtin", "auto")
    .option("--max-concurrency <n>", "model calls at a time", number)
    .option("--num-ctx-l1 <n>", "context of the call that finds the topics, in tokens", number)
    .option("--num-ctx-fanout <n>", "context of all other calls, in tokens", number)
    .option("--min-subdivide-duration-s <n>", "shorter topics are never divided", number)
    .option("--boundary-block-seconds <n>", "grid on which the model sees time", number)
    .option("--reasoning", "let a model that can think do so")

/** The options of a job as flags; names and limits are those of the HTTP interface. */
export const jobFlags = (command: Command): Command =>
  topicFlags(
    command
      .option("--title <text>", "title of the recording")
      .option("--language <code>", 'language of the speech; "" detects it', "en")
      .option("--whisper-model <name>", "speech model")
      .option("--speech-engine <name>", "auto, sherpa, openai or pocketsphinx", "auto")
      .option("--speakers <n>", "number of speakers, when known", number),
  ).option("--force-retranscribe", "listen again although there is a transcript")

const FLAGS: Record<string, keyof JobOptions> = {
  title: "title",
  language: "language",
  whisperModel: "whisper_model",
  llmModel: "llm_model",
  provider: "provider",
  speechEngine: "speech_engine",
  speakers: "speakers",
  maxConcurrency: "max_concurrency",
  numCtxL1: "num_ctx_l1",
  numCtxFanout: "num_ctx_fanout",
  minSubdivideDurationS: "min_subdivide_duration_s",
  boundaryBlockSeconds: "boundary_block_seconds",
  reasoning: "reasoning",
  forceRetranscribe: "force_retranscribe",
}

/** Flags as job options, checked by the contract that the HTTP interface uses. @throws AppError naming the wrong one. */
export const optionsOf = (flags: Record<string, unknown>): JobOptions => {
  const given = Object.fromEntries(
    Object.entries(FLAGS).flatMap(([flag, name]) => (flags[flag] === undefined ? [] : [[name, flags[flag]]])),
  )
  const parsed = jobOptions.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const flag = `--${String(issue?.path[0] ?? "").replaceAll("_", "-")}`
  throw new AppError("invalid", `${flag} ${issue ? issueText(issue) : "is not valid"}`)
}
