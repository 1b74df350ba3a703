/**
 * Without a task, measures the configured models on the recordings that come with Earmark, as `earmark evaluate` does. With
 * one, scores the topics, titles and summaries of the builtin provider against those that people wrote.
 *
 *   npm run eval [-- --provider openai --model NAME]
 *   npm run eval -- segmentation --data FILE.json[,FILE.json…] [--level l1|l2] [--detail fewer|normal|more] [--folds 5]
 *   npm run eval -- titles       --data FILE.json[,FILE.json…] [--show]
 *   npm run eval -- summaries    --data FILE.json[,FILE.json…] [--show]
 *   npm run eval -- map          --data FILE.json[,FILE.json…]  --subjects RULE [--library FOLDER]
 *
 * FILE.json: [{id, set, utterances: [{start, end, speaker, text}], l1: [index of the first utterance of a topic], l2?,
 * titles_l1?, summary?}]. Prints one line of JSON per set with the means over its recordings. --show prints the results, too.
 * RULE: field:NAME, or prefixes of IDs such as covid,education,product, of which the last stands for all other recordings. FOLDER keeps
 * the processed recordings for the next run.
 */
import { parseArgs } from "node:util"
import { runEvaluate } from "../cli/commands/evaluate.ts"
import { reportFailure } from "../cli/output.ts"
import { topicDetail } from "../lib/domain/jobs/jobs.ts"
import { evaluateMap, parseSubjectRule } from "./eval/map.ts"
import { readRecordings } from "./eval/recordings.ts"
import { evaluateSegmentation } from "./eval/segmentation.ts"
import { evaluateSummaries } from "./eval/summaries.ts"
import { evaluateTitles } from "./eval/titles.ts"

const USAGE =
  "npm run eval -- segmentation|titles|summaries|map --data FILE.json[,FILE.json…] [--level l2] [--detail more] [--folds 5] [--show] [--subjects RULE] [--library FOLDER]"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string" },
    level: { type: "string", default: "l1" },
    detail: { type: "string", default: "normal" },
    provider: { type: "string", default: "auto" },
    model: { type: "string" },
    folds: { type: "string", default: "0" },
    show: { type: "boolean", default: false },
    library: { type: "string" },
    subjects: { type: "string", default: "field:set" },
  },
})
const [task] = positionals
const recordings = values.data ? readRecordings(values.data) : []
if (task === undefined && !values.data) {
  const { provider, model } = values
  await runEvaluate({ provider, ...(model !== undefined && { model }) }).catch((error: unknown) => {
    process.exitCode = reportFailure(error)
  })
} else if (recordings.length === 0) {
  console.error(USAGE)
  process.exitCode = 2
} else if (task === "segmentation")
  evaluateSegmentation(recordings, {
    level: values.level === "l2" ? "l2" : "l1",
    folds: Number(values.folds),
    detail: topicDetail.parse(values.detail),
  })
else if (task === "titles") await evaluateTitles(recordings, values.show)
else if (task === "map") await evaluateMap(recordings, parseSubjectRule(values.subjects), values.library)
else if (task === "summaries") await evaluateSummaries(recordings, values.show)
else {
  console.error(USAGE)
  process.exitCode = 2
}
