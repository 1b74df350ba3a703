/**
 * Scores the builtin segmenter against hand-made boundaries, in process.
 *
 *   npx tsx scripts/eval-segmentation.ts --data FILE.json[,FILE.json…] [--level l1|l2] [--folds 5]
 *
 * FILE.json: [{id, set, utterances: [{start, end, speaker, text}], l1: [utterance that begins a topic], l2?: […]}].
 * Prints a JSON line a set. With --folds the constants are chosen anew on all folds but one and scored on that one; a line
 * a fold and the mean.
 */
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import type { WordSpan } from "../lib/contracts/words.ts"
import { type Passage, partsOf, passageOf, STRICTNESS, type Strictness } from "../lib/models/builtin/boundaries.ts"
import type { Span } from "../lib/models/types.ts"
import { meanScores, type Scores, scoresOf } from "./segmentation-scores.ts"

type Level = "l1" | "l2"
type Recording = {
  id: string
  set: string
  utterances: { start: number; end: number; speaker: string; text: string }[]
  l1: number[]
  l2?: number[]
}
/** As the pipeline: a topic shorter than this is not divided. */
const MIN_SUBDIVIDE_S = 120

/** In order of their starts, as the command line takes them: where people talk at once, utterances overlap. */
const wordsOf = (recording: Recording): WordSpan[] =>
  recording.utterances
    .flatMap(({ start, end, speaker, text }) => {
      const list = text.split(/\s+/).filter(Boolean)
      const step = (end - start) / Math.max(1, list.length)
      const at = (i: number): number => Number((start + i * step).toFixed(3))
      return list.map((word, i) => ({ word, start: at(i), end: at(i + 1), speaker }))
    })
    .sort((a, b) => a.start - b.start)

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

const score = (item: Ready, level: Level, strictness: Strictness): Scores => {
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
  return scoresOf(starts.length, recording[level] ?? [], hypothesis)
}

/** What the constants are chosen for: boundaries found, with a number of topics that people would have made. */
const goodness = ({ f1, count }: Scores): number => f1 - Math.max(0, 0.85 - count, count - 1.25)

const GRID: Strictness[] = [1, 2, 3].flatMap((least) =>
  [0.03, 0.035, 0.04, 0.045, 0.05].flatMap((each) =>
    [20, 30, 40].flatMap((most) => [0.1, 0.15, 0.2].map((evenness) => ({ least, each, most, evenness }))),
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

const { values } = parseArgs({
  options: { data: { type: "string" }, level: { type: "string", default: "l1" }, folds: { type: "string" } },
})
if (!values.data) throw new Error("--data FILE.json[,FILE.json…] is needed")
const recordings = values.data.split(",").flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as Recording[])

if (values.folds) {
  const folds = Number(values.folds)
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
} else {
  const level: Level = values.level === "l2" ? "l2" : "l1"
  const started = performance.now()
  const scored = recordings.map((r) => ({ set: r.set, scores: score(ready(r), level, STRICTNESS) }))
  const ms = Number(((performance.now() - started) / Math.max(1, recordings.length)).toFixed(1))
  const line = (set: string, list: typeof scored): string =>
    JSON.stringify({ set, level, recordings: list.length, ...meanScores(list.map((s) => s.scores)), ms })
  const sets = [...new Set(scored.map((s) => s.set))].sort()
  if (sets.length > 1)
    for (const set of sets)
      console.log(
        line(
          set,
          scored.filter((s) => s.set === set),
        ),
      )
  console.log(line("all", scored))
}
