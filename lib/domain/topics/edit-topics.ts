import { AppError } from "../errors.ts"
import type { WordSpan } from "../transcript/words.ts"
import { bordersOf, movesOf } from "./boundaries.ts"
import { type Located, listTopics, topicOf } from "./overlay.ts"
import type { BorderEdit, KeptEdit, TextEdit } from "./stored-edit.ts"
import type { TopicPatch } from "./topic-edits.ts"
import type { TopicNode, TopicTree } from "./topic-tree.ts"

export type EditRequest = {
  /** As the last run made it. */
  readonly tree: TopicTree
  readonly edits: readonly KeptEdit[]
  /** Number of the topic in the tree. */
  readonly topic: string
  readonly patch: TopicPatch
  /** Starts not falling; needed only when a border is moved. */
  readonly words: readonly WordSpan[]
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly newId: () => string
}

/** Title and summary: one edit a topic, anchored where the last run has the topic. */
const writeText = ({ tree, edits, patch, now, newId }: EditRequest, at: Located): readonly KeptEdit[] => {
  if (patch.title === undefined && patch.summary === undefined) return edits
  const all = listTopics(tree)
  const own = edits
    .filter((e): e is TextEdit => e.kind === "text" && topicOf(all, e)?.node === at.node)
    .sort((a, b) => b.edited_at - a.edited_at)
  const standing = (field: "title" | "summary") => own.find((e) => e[field] !== null)?.[field] ?? null
  const title = patch.title === undefined ? standing("title") : patch.title
  const summary = patch.summary === undefined ? standing("summary") : patch.summary
  const { start_s, end_s } = at.node
  const one = { kind: "text", level: at.level, start_s, end_s, title, summary, edited_at: now } as const
  const rest = edits.filter((e) => !own.includes(e as TextEdit))
  return title === null && summary === null ? rest : [...rest, { ...one, id: own[0]?.id ?? newId() }]
}

const seconds = (t: number): string => String(Math.round(t * 100) / 100)

/** The word start nearest to `asked` that leaves a word on either side of the border. */
const snapped = (words: readonly WordSpan[], asked: number, low: number, high: number, field: string): number => {
  if (asked <= low || asked >= high)
    throw new AppError(
      "invalid",
      `${field} must lie between ${seconds(low)} and ${seconds(high)} seconds, where the borders beside it are`,
    )
  const starts = [...new Set(words.map((w) => w.start).filter((t) => t >= low && t < high))].slice(1)
  if (starts.length === 0)
    throw new AppError("invalid", `${field}: between ${seconds(low)} and ${seconds(high)} seconds no word begins`)
  return starts.reduce((best, t) => (Math.abs(t - asked) < Math.abs(best - asked) ? t : best))
}

const moveBorder = (
  request: Omit<EditRequest, "topic" | "patch">,
  root: TopicNode,
  at: number,
  asked: number | null,
  field: string,
): readonly KeptEdit[] => {
  const { edits, words, now, newId } = request
  const borders = bordersOf(root)
  const i = borders.indexOf(at)
  const { shown } = movesOf(
    root,
    edits.filter((e): e is BorderEdit => e.kind === "border"),
  )
  const own = shown.get(at)
  const rest = edits.filter((e) => e !== own)
  if (i < 0 && asked === null) return edits
  if (i < 0) throw new AppError("invalid", `${field} cannot be moved: the recording itself begins or ends there`)
  if (asked === null) return rest
  const placeOf = (border: number | undefined, end: number) =>
    border === undefined ? end : (shown.get(border)?.to_s ?? border)
  const to = snapped(words, asked, placeOf(borders[i - 1], root.start_s), placeOf(borders[i + 1], root.end_s), field)
  if (to === at) return rest
  return [...rest, { kind: "border", id: own?.id ?? newId(), from_s: at, to_s: to, edited_at: now }]
}

/** The border at which a topic ends: where the one after it begins. */
const endOf = (root: TopicNode, node: TopicNode): number =>
  bordersOf(root).find((t) => t >= node.end_s) ?? Number.POSITIVE_INFINITY

/**
 * The edits of a clip after one more. Pure. @throws AppError `not_found` for a topic that is not there, `invalid` for a
 * border that cannot lie where it is asked for
 */
export const withEdit = (request: EditRequest): readonly KeptEdit[] => {
  const { tree, topic, patch } = request
  const [root] = tree.topics
  const at = listTopics(tree).find((l) => l.number === topic)
  if (!root || !at) throw new AppError("not_found", `unknown topic '${topic}': the clip has no topic of this number`)
  let edits = writeText(request, at)
  for (const [field, border] of [
    ["start_s", at.node.start_s],
    ["end_s", endOf(root, at.node)],
  ] as const)
    if (patch[field] !== undefined) edits = moveBorder({ ...request, edits }, root, border, patch[field], field)
  return edits
}
