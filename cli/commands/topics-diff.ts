import { readFile } from "node:fs/promises"
import type { Command } from "commander"
import { type EarmarkClient, EarmarkError } from "#lib/api/client/index.ts"
import { topicDiffQuery } from "#lib/api/topics.ts"
import { AppError } from "#lib/domain/errors.ts"
import type { TopicDiff } from "#lib/domain/topics/compare-trees.ts"
import { diffTrees } from "#lib/domain/topics/compare-trees.ts"
import { type TopicTree, topicTree } from "#lib/domain/topics/topic-tree.ts"
import type { Deps } from "#lib/services/deps.ts"
import { requireStore } from "#lib/services/deps.ts"
import { toClipId } from "../clip-id.ts"
import { withNode } from "../node.ts"
import { formatTime, printResult } from "../output.ts"
import { openRemote, type RemoteFlags, remoteFlags } from "../remote.ts"

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

const notFound = (name: string): AppError =>
  new AppError(
    "not_found",
    `'${name}' is not a topic run, clip or file. Run \`earmark topics runs CLIP\` to list the runs of a clip.`,
  )

/** Loads a topic run, the current topics of a clip, or a file. */
const loadHere = async (deps: Deps, name: string): Promise<Side> => {
  const store = requireStore(deps)
  const run = await store.topics.getRun(name)
  if (run) return { tree: run.tree, clip: run.clip_id }
  const id = toClipId(name)
  const shown = await store.topics.get(id)
  if (shown) return { tree: shown.tree, clip: id }
  const tree = await readTreeFile(name)
  if (tree) return { tree, clip: null }
  throw notFound(name)
}

const orNull = (error: unknown): null => {
  if (error instanceof EarmarkError && error.status === 404) return null
  throw error
}

/** Returns the clip that a topic run belongs to. The ID of a run is that of its job; without the job, the other side tells. */
const clipOfRun = async (client: EarmarkClient, run: string, other: string): Promise<string> => {
  const job = await client.job(run).catch(orNull)
  return job ? (job.result_session_id ?? job.session_id) : toClipId(other)
}

/** Like `loadHere`, from a service. @param other the other side of the comparison */
const loadThere = async (client: EarmarkClient, name: string, other: string): Promise<Side> => {
  const id = toClipId(name)
  const shown = await client.topics(id).catch(orNull)
  if (shown) return { tree: shown.tree, clip: id }
  const file = await readTreeFile(name)
  if (file) return { tree: file, clip: null }
  const clip = await clipOfRun(client, name, other)
  const run = await client.topicRun(clip, name).catch(orNull)
  if (run) return { tree: run.tree, clip }
  throw notFound(name)
}

const compare = (one: Side, other: Side, tolerance: number): TopicDiff => {
  if (one.clip !== null && other.clip !== null && one.clip !== other.clip)
    throw new AppError("invalid", "The two belong to different recordings. Compare runs of the same recording.")
  return diffTrees(one.tree, other.tree, tolerance)
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

type Flags = RemoteFlags & { readonly tolerance: string }

export const addTopicsDiff = (topics: Command): void => {
  remoteFlags(topics.command("diff <a> <b>"))
    .description("compare boundaries and titles of two topic runs; a clip means its current topics, edits included")
    .option("--tolerance <seconds>", "boundaries at most this far apart count as moved", "15")
    .action(async (a: string, b: string, { tolerance, ...flags }: Flags) => {
      const query = topicDiffQuery.shape.tolerance_s.safeParse(tolerance)
      if (!query.success) throw new AppError("invalid", "--tolerance must be a number of seconds from 0 to 600.")
      const show = (one: Side, other: Side): void => {
        const diff = compare(one, other, query.data)
        printResult(diff, () => diffText(diff))
      }
      const remote = openRemote(flags)
      if (remote) return show(await loadThere(remote, a, b), await loadThere(remote, b, a))
      return withNode(async (node) => show(await loadHere(node, a), await loadHere(node, b)))
    })
}
