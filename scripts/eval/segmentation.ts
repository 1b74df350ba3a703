import { jobOptions } from "../../lib/domain/jobs/jobs.ts"
import type { WordSpan } from "../../lib/domain/transcript/words.ts"
import {
  type Passage,
  partsOf,
  passageOf,
  STRICTNESS,
  type Strictness,
} from "../../lib/engines/language/builtin/boundaries.ts"
import type { Span } from "../../lib/engines/language/types.ts"
import { type Level, type Recording, report, wordsOf } from "./recordings.ts"
import { meanScores, randomCuts, type Scores, scoresOf } from "./segmentation-scores.ts"

/** As the pipeline: a topic shorter than this is not divided. */
const MIN_SUBDIVIDE_S = jobOptions.shape.min_subdivide_duration_s.parse(undefined)

/** A recording made ready once, for all the constants that are tried on it. */
type Ready = { recording: Recording; words: WordSpan[]; whole: Passage }
const ready = (recording: Recording): Ready => {
  const words = wordsOf(recording)
  return { recording, words, whole: passageOf(words, { start_s: 0, end_s: words.at(-1)!.end }) }
}

const nodesOf = ({ words, whole }: Ready, level: Level, strictness: Strictness): Span[] => {
  const l1 = partsOf(whole, 1, strictness)
  if (level === "l1") return l1
  return l1.flatMap((node) =>
    node.end_s - node.start_s < MIN_SUBDIVIDE_S ? [node] : partsOf(passageOf(words, node), 2, strictness),
  )
}

const score = (item: Ready, level: Level, strictness: Strictness): Scores & { cuts: number } => {
  const { recording } = item
  const starts = recording.utterances.map((u) => u.start)
  const nearest = (time: number): number =>
    starts.reduce((best, start, i) => (Math.abs(start - time) < Math.abs(starts[best]! - time) ? i : best), 0)
  const cuts = new Set(
    nodesOf(item, level, strictness)
      .slice(1)
      .map((node) => nearest(node.start_s)),
  )
  cuts.delete(0)
  const hypothesis = [...cuts].sort((a, b) => a - b)
  return { ...scoresOf(starts.length, recording[level] ?? [], hypothesis), cuts: hypothesis.length }
}

/** What the constants are chosen for: boundaries found, with a number of topics that people would have made. */
const goodness = ({ f1, count }: Scores): number => f1 - Math.max(0, 0.85 - count, count - 1.25)

const GRID: Strictness[] = [1, 2].flatMap((least) =>
  [0.035, 0.04, 0.045].flatMap((each) =>
    [15, 20, 25, 30].flatMap((bend) => [0.1, 0.15, 0.2].map((evenness) => ({ least, each, bend, evenness }))),
  ),
)

type Task = { item: Ready; level: Level; set: string; fold: number }

const crossValidate = (tasks: readonly Task[], folds: number): void => {
  const table = GRID.map((strictness) => tasks.map((t) => score(t.item, t.level, strictness)))
  const sets = [...new Set(tasks.map((t) => t.set))]
  const heldOut: Scores[] = tasks.map(() => ({ f1: 0, pk: 0, wd: 0, count: 0 }))
  for (let fold = 0; fold < folds; fold++) {
    const value = (row: readonly Scores[]): number =>
      sets.reduce((sum, set) => {
        const train = row.filter((_, i) => tasks[i]!.set === set && tasks[i]!.fold !== fold)
        return sum + goodness(meanScores(train))
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

/** The same figures as the judge's script, in process; with `folds` the constants are chosen anew on all folds but one. */
export const evaluateSegmentation = (recordings: readonly Recording[], level: Level, folds: number): void => {
  if (folds > 0) {
    const seen = new Map<string, number>()
    const tasks = recordings.flatMap((recording): Task[] => {
      // QMSum's three kinds of meeting are one set.
      const set = recording.set.split("-")[0]!
      const number = seen.get(set) ?? 0
      seen.set(set, number + 1)
      const levels: Level[] = recording.l2 ? ["l1", "l2"] : ["l1"]
      const item = ready(recording)
      return levels.map((level) => ({ item, level, set: `${set} ${level}`, fold: number % folds }))
    })
    crossValidate(tasks, folds)
    return
  }
  const chance = randomCuts()
  const scored = recordings.map((recording) => {
    const started = performance.now()
    const { cuts, ...scores } = score(ready(recording), level, STRICTNESS)
    const ms = performance.now() - started
    const random = chance(recording.utterances.length, recording[level] ?? [], cuts)
    const { f1: random_f1, pk: random_pk, wd: random_wd } = random
    return { set: recording.set, scores: { ...scores, random_f1, random_pk, random_wd, ms } }
  })
  report(scored, { level })
}
