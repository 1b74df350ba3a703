import type { Command } from "commander"
import * as z from "zod"
import { jobOptions } from "#lib/domain/jobs/jobs.ts"
import { type Evaluation, evaluateModels, type Spread } from "#lib/services/evaluation/evaluate.ts"
import { readBundledRecordings } from "#lib/services/evaluation/recordings.ts"
import { parseFlags } from "../flags.ts"
import { withNode } from "../node.ts"
import { printResult } from "../output.ts"
import { createCounterBar } from "../progress.ts"

const evaluateFlags = z.object({ provider: jobOptions.shape.provider, llm_model: jobOptions.shape.llm_model })

const formatSpread = ({ mean, sd }: Spread): string => `${mean.toFixed(2)} ± ${sd.toFixed(2)}`

const COLUMNS: readonly (readonly [heading: string, cell: (e: Evaluation) => string])[] = [
  ["Provider", ({ provider, model }) => (model ? `${provider}: ${model}` : provider)],
  ["Embedder", ({ embedder }) => embedder],
  ["Boundaries F1", ({ scores }) => formatSpread(scores.boundary_f1)],
  ["Pk", ({ scores }) => formatSpread(scores.pk)],
  ["Topics found / true", ({ scores }) => formatSpread(scores.count)],
  ["Titles: common word", ({ scores }) => formatSpread(scores.shared_word)],
  ["ROUGE-L", ({ scores }) => formatSpread(scores.rouge_l)],
  ["Passages found", ({ scores }) => formatSpread(scores.found)],
  ["MRR", ({ scores }) => formatSpread(scores.mrr)],
  ["Unusable answers", ({ unusable }) => String(unusable)],
  ["Seconds", ({ seconds }) => seconds.toFixed(1)],
]

/** Formats evaluations as a table in Markdown, one row each. */
export const formatEvaluations = (list: readonly Evaluation[]): string => {
  const rows = [COLUMNS.map(([heading]) => heading), ...list.map((e) => COLUMNS.map(([, cell]) => cell(e)))]
  const widths = COLUMNS.map((_, c) => Math.max(...rows.map((row) => row[c]!.length)))
  const lines = rows.map((row) => `| ${row.map((cell, c) => cell.padEnd(widths[c]!)).join(" | ")} |`)
  return [lines[0], `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...lines.slice(1)].join("\n")
}

/** Measures the providers, prints a table and returns nothing. Names of flags as on the command line. */
export const runEvaluate = async (flags: { provider?: string; model?: string }): Promise<void> => {
  const names = { llm_model: "--model" }
  const { provider, llm_model } = parseFlags(evaluateFlags, { provider: flags.provider, llm_model: flags.model }, names)
  const recordings = readBundledRecordings()
  const stop = new AbortController()
  const interrupt = () => stop.abort(new Error("The evaluation was interrupted."))
  process.once("SIGINT", interrupt)
  const bar = createCounterBar("Model calls")
  try {
    await withNode(async (node) => {
      const evaluate = (chosen: typeof provider, model: string | undefined) =>
        evaluateModels(node, {
          provider: chosen,
          llm_model: model,
          recordings,
          signal: stop.signal,
          onProgress: (done, total) => bar.update(done, total),
        })
      const evaluation = await evaluate(provider, llm_model)
      // The builtin provider is what others are compared with.
      const list = evaluation.provider === "builtin" ? [evaluation] : [await evaluate("builtin", undefined), evaluation]
      printResult({ evaluations: list }, () => formatEvaluations(list))
    })
  } finally {
    bar.end()
    process.removeListener("SIGINT", interrupt)
  }
}

export const addEvaluate = (program: Command): void => {
  program
    .command("evaluate")
    .description("measure topics, titles and retrieval of the configured models on recordings that come with Earmark")
    .option("--provider <name>", "auto, ollama, openai or builtin", "auto")
    .option("--model <name>", "language model of the provider")
    .action(runEvaluate)
}
