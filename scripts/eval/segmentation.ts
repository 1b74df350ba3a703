import { jobOptions, type TopicDetail } from "../../lib/domain/jobs/jobs.ts"
import type { WordSpan } from "../../lib/domain/transcript/words.ts"
import {
  type CutPenalty,
  DEFAULT_CUT_PENALTY,
  prepareSection,
  type Section,
  splitIntoTopics,
} from "../../lib/engines/language/builtin/boundaries.ts"
import type { Span } from "../../lib/engines/language/types.ts"
import {
  createRandomBaseline,
  meanScores,
  type Scores,
  scoreBoundaries,
} from "../../lib/services/evaluation/boundary-scores.ts"
import { buildWords, toUtteranceBoundaries } from "../../lib/services/evaluation/recordings.ts"
import { type Level, printMeans, type Recording } from "./recordings.ts"

/** The pipeline does not divide shorter topics. */
const MIN_SUBDIVIDE_S = jobOptions.shape.min_subdivide_duration_s.parse(undefined)

type Granularity = { penalty: CutPenalty; detail: TopicDetail }

/** A recording, prepared once for all penalties. */
type PreparedRecording = { recording: Recording; words: WordSpan[]; whole: Section }
const prepareRecording = (recording: Recording): PreparedRecording => {
  const words = buildWords(recording)
  return { recording, words, whole: prepareSection(words, { start_s: 0, end_s: words.at(-1)!.end }) }
}

const findTopics = ({ words, whole }: PreparedRecording, level: Level, { penalty, detail }: Granularity): Span[] => {
  const l1 = splitIntoTopics(whole, { level: 1, detail, penalty })
  if (level === "l1") return l1
  return l1.flatMap((node) =>
    node.end_s - node.start_s < MIN_SUBDIVIDE_S
      ? [node]
      : splitIntoTopics(prepareSection(words, node), { level: 2, detail, penalty }),
  )
}

const score = (item: PreparedRecording, level: Level, granularity: Granularity): Scores & { cuts: number } => {
  const { recording } = item
  const hypothesis = toUtteranceBoundaries(recording, findTopics(item, level, granularity))
  return {
    ...scoreBoundaries(recording.utterances.length, recording[level] ?? [], hypothesis),
    cuts: hypothesis.length,
  }
}

/** Returns the objective of the cross-validation: F1, reduced if the number of topics is far from the reference. */
const computeObjective = ({ f1, count }: Scores): number => f1 - Math.max(0, 0.85 - count, count - 1.25)

const GRID: CutPenalty[] = [1, 2].flatMap((min) =>
  [0.035, 0.04, 0.045].flatMap((perUtterance) =>
    [15, 20, 25, 30].flatMap((bend) => [0.1, 0.15, 0.2].map((evenness) => ({ min, perUtterance, bend, evenness }))),
  ),
)

type Task = { item: PreparedRecording; level: Level; set: string; fold: number }

const crossValidate = (tasks: readonly Task[], folds: number): void => {
  const table = GRID.map((penalty) => tasks.map((t) => score(t.item, t.level, { penalty, detail: "normal" })))
  const sets = [...new Set(tasks.map((t) => t.set))]
  const heldOut: Scores[] = tasks.map(() => ({ f1: 0, pk: 0, wd: 0, count: 0 }))
  for (let fold = 0; fold < folds; fold++) {
    const value = (row: readonly Scores[]): number =>
      sets.reduce((sum, set) => {
        const train = row.filter((_, i) => tasks[i]!.set === set && tasks[i]!.fold !== fold)
        return sum + computeObjective(meanScores(train))
      }, 0)
    const best = table.reduce((a, _, g) => (value(table[g]!) > value(table[a]!) ? g : a), 0)
    tasks.forEach((t, i) => {
      if (t.fold === fold) heldOut[i] = table[best]![i]!
    })
    for (const set of sets) {
      const test = heldOut.filter((_, i) => tasks[i]!.set === set && tasks[i]!.fold === fold)
      console.log(JSON.stringify({ fold, chosen: GRID[best], set, recordings: test.length, ...meanScores(test) }))
    }
  }
  for (const set of sets)
    console.log(JSON.stringify({ held_out: set, ...meanScores(heldOut.filter((_, i) => tasks[i]!.set === set)) }))
}

/**
 * Prints the scores of the boundaries, next to those of random boundaries. With `folds`, prints cross-validated scores: for
 * each fold, the penalty is chosen on the other folds.
 */
export const evaluateSegmentation = (
  recordings: readonly Recording[],
  { level, folds, detail }: { level: Level; folds: number; detail: TopicDetail },
): void => {
  if (folds > 0) {
    const seen = new Map<string, number>()
    const tasks = recordings.flatMap((recording): Task[] => {
      // Treats the three kinds of QMSum meetings as one set.
      const set = recording.set.split("-")[0]!
      const number = seen.get(set) ?? 0
      seen.set(set, number + 1)
      const levels: Level[] = recording.l2 ? ["l1", "l2"] : ["l1"]
      const item = prepareRecording(recording)
      return levels.map((level) => ({ item, level, set: `${set} ${level}`, fold: number % folds }))
    })
    crossValidate(tasks, folds)
    return
  }
  const scoreRandom = createRandomBaseline()
  const scored = recordings.map((recording) => {
    const started = performance.now()
    const { cuts, ...scores } = score(prepareRecording(recording), level, { penalty: DEFAULT_CUT_PENALTY, detail })
    const ms = performance.now() - started
    const random = scoreRandom(recording.utterances.length, recording[level] ?? [], cuts)
    const { f1: random_f1, pk: random_pk, wd: random_wd } = random
    return { set: recording.set, scores: { ...scores, random_f1, random_pk, random_wd, ms } }
  })
  printMeans(scored, "recordings", { level, detail })
}
