import { type Moves, movesOf, placing } from "./boundaries.ts"
import type { BorderEdit, KeptEdit, TextEdit } from "./stored-edit.ts"
import type { TopicEdit } from "./topic-edits.ts"
import type { TopicNode, TopicOriginal, TopicTree } from "./topic-tree.ts"

/** A topic of a later run is the one that was edited when the two share this part of the time that either covers. */
const SAME_TOPIC = 0.5

export type Located = { readonly node: TopicNode; readonly level: number; readonly number: string }

/** Every topic of a tree with its level (1 = L0) and number, each before its children. */
export const listTopics = (tree: TopicTree): Located[] => {
  const walk = (node: TopicNode, level: number, number: string): Located[] => [
    { node, level, number },
    ...node.children.flatMap((child, i) => walk(child, level + 1, `${number}.${i + 1}`)),
  ]
  return tree.topics.flatMap((root, i) => walk(root, 1, `${i + 1}`))
}

const overlap = (a: { start_s: number; end_s: number }, b: { start_s: number; end_s: number }): number => {
  const shared = Math.min(a.end_s, b.end_s) - Math.max(a.start_s, b.start_s)
  const either = Math.max(a.end_s, b.end_s) - Math.min(a.start_s, b.start_s)
  return either > 0 ? shared / either : 1
}

/**
 * The topic of a level that covers this time: at most one does. Undefined: none shares half of it. A recording has one
 * whole, however long it became.
 */
export const sameTopic = (
  all: readonly Located[],
  level: number,
  span: { start_s: number; end_s: number },
): Located | undefined => {
  const own = all.filter((l) => l.level === level)
  if (level === 1) return own[0]
  const best = own.toSorted((a, b) => overlap(b.node, span) - overlap(a.node, span))[0]
  return best && overlap(best.node, span) >= SAME_TOPIC ? best : undefined
}

/** The topic of a run that an edit of title and summary is about. */
export const topicOf = (all: readonly Located[], edit: TextEdit): Located | undefined =>
  sameTopic(all, edit.level, edit)

const clock = (seconds: number): string => {
  const s = Math.floor(seconds)
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`
}

const FIELDS = ["title", "summary"] as const
type Texts = { -readonly [F in (typeof FIELDS)[number]]?: string }

/** Newest first; each field of a topic is written by the newest edit that has one. */
const textsOf = (all: readonly Located[], edits: readonly TextEdit[]) => {
  const texts = new Map<TopicNode, Texts>()
  const standing = new Map<TextEdit, { topic: string | null; detail?: string }>()
  for (const edit of edits.toSorted((a, b) => b.edited_at - a.edited_at)) {
    const at = topicOf(all, edit)
    const written = at && (texts.get(at.node) ?? {})
    const free = FIELDS.filter((f) => edit[f] !== null && written?.[f] === undefined)
    if (!at || !written)
      standing.set(edit, {
        topic: null,
        detail: `The topics made last have none from ${clock(edit.start_s)} to ${clock(edit.end_s)}: an edit of it is not shown.`,
      })
    else if (free.length === 0)
      standing.set(edit, {
        topic: null,
        detail: `A later edit took the place of one made from ${clock(edit.start_s)} to ${clock(edit.end_s)}.`,
      })
    else {
      for (const field of free) written[field] = edit[field]!
      texts.set(at.node, written)
      standing.set(edit, { topic: at.number })
    }
  }
  return { texts, standing }
}

const IDLE = {
  gone: (e: BorderEdit) =>
    `The topics made last have no border near ${clock(e.from_s)}: moving it to ${clock(e.to_s)} is not shown.`,
  crowded: (e: BorderEdit) =>
    `The border that was moved to ${clock(e.to_s)} would cross another one: it stays at ${clock(e.from_s)}.`,
}

const changes = (node: TopicNode, now: Omit<TopicNode, "children">): TopicOriginal | undefined => {
  const original: TopicOriginal = {}
  if (now.title !== node.title) original.title = node.title
  if (now.summary !== node.summary) original.summary = node.summary
  if (now.start_s !== node.start_s) original.start_s = node.start_s
  if (now.end_s !== node.end_s) original.end_s = node.end_s
  return Object.keys(original).length > 0 ? original : undefined
}

/**
 * What people see: the tree of a run with their edits over it. Pure. An edit that finds no topic or border in this run
 * changes nothing, says so in `notes`, and waits for one that has it.
 */
export const overlay = (tree: TopicTree, edits: readonly KeptEdit[]): { tree: TopicTree; edits: TopicEdit[] } => {
  const [root] = tree.topics
  const all = listTopics(tree)
  const { texts, standing } = textsOf(
    all,
    edits.filter((e) => e.kind === "text"),
  )
  const borders = edits.filter((e) => e.kind === "border")
  const moves: Moves = root
    ? movesOf(root, borders)
    : { shown: new Map(), idle: new Map(borders.map((b) => [b, "gone"])) }
  const place = root ? placing(root, moves) : (t: number) => t
  const shown = (node: TopicNode): TopicNode => {
    // A tree that was read here and kept again may still tell of edits.
    const { children, edited: _, original: __, ...own } = node
    const now = { ...own, ...texts.get(node), start_s: place(node.start_s), end_s: place(node.end_s) }
    const original = changes(node, now)
    return { ...now, ...(original && { edited: true as const, original }), children: children.map(shown) }
  }
  const numberAt = new Map(
    [...moves.shown].map(([at, e]) => [e, all.find((l) => l.node.start_s === at)?.number ?? null]),
  )
  const told = edits.map((edit): TopicEdit => {
    const edited_at = new Date(edit.edited_at).toISOString()
    if (edit.kind === "text") return { ...edit, edited_at, ...standing.get(edit)! }
    const why = moves.idle.get(edit)
    return {
      ...edit,
      edited_at,
      topic: numberAt.get(edit) ?? null,
      ...(why && { detail: IDLE[why](edit) }),
    }
  })
  const notes = [...(tree.notes ?? []), ...told.flatMap((e) => e.detail ?? [])]
  return {
    tree: { ...tree, topics: tree.topics.map(shown), ...(notes.length > 0 && { notes }) },
    edits: told,
  }
}
