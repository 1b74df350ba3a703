import { readFile } from "node:fs/promises"
import type { Command } from "commander"
import { topicDiffQuery } from "#lib/api/topics.ts"
import { AppError } from "#lib/domain/errors.ts"
import type { TopicDiff } from "#lib/domain/topics/compare-trees.ts"
import { diffTrees } from "#lib/domain/topics/compare-trees.ts"
import { type TopicTree, topicTree } from "#lib/domain/topics/topic-tree.ts"
import type { Deps } from "#lib/services/deps.ts"
import { requireStore } from "#lib/services/deps.ts"
import { withNode } from "../node.ts"
import { formatTime, printResult } from "../output.ts"

/** Reads a topic tree as `generate-topics` prints it. Returns null if there is no such file. */
const readTreeFile = async (file: string): Promise<TopicTree | null> => {
  const text = await readFile(file, "utf8").catch(() => null)
  if (text === null) return null
  try {
    return topicTree.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError("invalid", `${file} contains no topic tree. Use a file with the output of generate-topics.`, {
      cause,
    })
  }
}

type Side = { readonly tree: TopicTree; readonly clip: string | null }

/** Loads a topic run, the current topics of a clip, or a file. */
const loadSide = async (deps: Deps, name: string): Promise<Side> => {
  const store = requireStore(deps)
  const run = await store.topics.getRun(name)
  if (run) return { tree: run.tree, clip: run.clip_id }
  const shown = await store.topics.get(name)
  if (shown) return { tree: shown.tree, clip: name }
  const tree = await readTreeFile(name)
  if (tree) return { tree, clip: null }
  throw new AppError(
    "not_found",
    `'${name}' is not a topic run, clip or file. Run \`earmark topics runs CLIP\` to list the runs of a clip.`,
  )
}

const percent = (x: number): string => `${Math.round(100 * x)} %`

const boundaryLines = (name: string, { kept, moved, added, removed, agreement }: TopicDiff["topics"]): string[] => [
  `${name}: F1 ${percent(agreement.f1)}, Pk ${percent(agreement.pk)}`,
  ...[
    ["kept", kept.map(formatTime)],
    ["moved", moved.map((m) => `${formatTime(m.from_s)} → ${formatTime(m.to_s)}`)],
    ["added", added.map(formatTime)],
    ["removed", removed.map(formatTime)],
  ].flatMap(([what, list]) => (list!.length > 0 ? [`  ${what}  ${(list as string[]).join(", ")}`] : [])),
]

const diffText = (diff: TopicDiff): string =>
  [
    ...boundaryLines("Topics", diff.topics),
    ...boundaryLines("Subtopics", diff.parts),
    ...(diff.titles.length > 0 ? ["Titles:"] : []),
    ...diff.titles.map((t) => `  ${t.number_b}  ${formatTime(t.start_s)}  ${t.title_a} → ${t.title_b}`),
  ].join("\n")

export const addTopicsDiff = (topics: Command): void => {
  topics
    .command("diff <a> <b>")
    .description("compare boundaries and titles of two topic runs; a clip ID means its current topics, edits included")
    .option("--tolerance <seconds>", "boundaries at most this far apart count as moved", "15")
    .action((a: string, b: string, { tolerance }: { tolerance: string }) => {
      const query = topicDiffQuery.shape.tolerance_s.safeParse(tolerance)
      if (!query.success) throw new AppError("invalid", "--tolerance must be a number of seconds from 0 to 600.")
      return withNode(async (node) => {
        const [one, other] = [await loadSide(node, a), await loadSide(node, b)]
        if (one.clip !== null && other.clip !== null && one.clip !== other.clip)
          throw new AppError("invalid", "The two belong to different recordings. Compare runs of the same recording.")
        const diff = diffTrees(one.tree, other.tree, query.data)
        printResult(diff, () => diffText(diff))
      })
    })
}
