import { readFile } from "node:fs/promises"
import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { diffTrees } from "#lib/domain/topics/diff.ts"
import { type TopicDiff, topicDiffQuery } from "#lib/domain/topics/diff-schema.ts"
import { type TopicTree, topicTree } from "#lib/domain/topics/topic-tree.ts"
import type { Deps } from "#lib/services/deps.ts"
import { requireStore } from "#lib/services/installation/require.ts"
import { withNode } from "../node.ts"
import { clock, printResult } from "../output.ts"

/** A tree in a file, as `generate-topics` prints it; null: no such file. */
const fileTree = async (file: string): Promise<TopicTree | null> => {
  const text = await readFile(file, "utf8").catch(() => null)
  if (text === null) return null
  try {
    return topicTree.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError("invalid", `${file} holds no topic tree: give one that generate-topics has printed`, { cause })
  }
}

type Side = { readonly tree: TopicTree; readonly clip: string | null }

/** A run, what people see of a clip, or a file. */
const side = async (deps: Deps, name: string): Promise<Side> => {
  const store = requireStore(deps)
  const run = await store.topics.getRun(name)
  if (run) return { tree: run.tree, clip: run.clip_id }
  const shown = await store.topics.get(name)
  if (shown) return { tree: shown.tree, clip: name }
  const tree = await fileTree(name)
  if (tree) return { tree, clip: null }
  throw new AppError(
    "not_found",
    `'${name}' is no run, no clip and no file: earmark topics runs CLIP lists the runs of a clip`,
  )
}

const percent = (x: number): string => `${Math.round(100 * x)} %`

const borders = (name: string, { kept, moved, added, removed, agreement }: TopicDiff["topics"]): string[] => [
  `${name}: F1 ${percent(agreement.f1)}, Pk ${percent(agreement.pk)}`,
  ...[
    ["kept", kept.map(clock)],
    ["moved", moved.map((m) => `${clock(m.from_s)} → ${clock(m.to_s)}`)],
    ["added", added.map(clock)],
    ["removed", removed.map(clock)],
  ].flatMap(([what, list]) => (list!.length > 0 ? [`  ${what}  ${(list as string[]).join(", ")}`] : [])),
]

const diffText = (diff: TopicDiff): string =>
  [
    ...borders("Topics", diff.topics),
    ...borders("Parts", diff.parts),
    ...(diff.titles.length > 0 ? ["Titles:"] : []),
    ...diff.titles.map((t) => `  ${t.number_b}  ${clock(t.start_s)}  ${t.title_a} → ${t.title_b}`),
  ].join("\n")

export const addTopicsDiff = (topics: Command): void => {
  topics
    .command("diff <a> <b>")
    .description("what became of borders and titles from one run to another; a clip stands for what people see of it")
    .option("--tolerance <seconds>", "borders so near to each other are one that moved", "15")
    .action((a: string, b: string, { tolerance }: { tolerance: string }) => {
      const query = topicDiffQuery.shape.tolerance_s.safeParse(tolerance)
      if (!query.success) throw new AppError("invalid", "--tolerance must be a number of seconds from 0 to 600")
      return withNode(async (node) => {
        const [one, other] = [await side(node, a), await side(node, b)]
        if (one.clip !== null && other.clip !== null && one.clip !== other.clip)
          throw new AppError("invalid", "the two are of different recordings: compare runs of one")
        const diff = diffTrees(one.tree, other.tree, query.data)
        printResult(diff, () => diffText(diff))
      })
    })
}
