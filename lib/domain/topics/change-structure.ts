import { AppError } from "../errors.ts"
import { formatClock } from "../text/format-clock.ts"
import type { WordSpan } from "../transcript/words.ts"
import { changeOutline, type EditClock, type Outline, type OutlineEntry } from "./outline.ts"
import { snapToWordStart } from "./snap-to-word.ts"
import type { StoredTopicEdit, StructureChange, TopicText } from "./topic-edits.ts"
import type { TopicTree } from "./topic-tree.ts"

const MAX_SUMMARY_CHARS = 2000

export type StructureRequest = EditClock & {
  /** The tree of the latest run, without edits. */
  readonly tree: TopicTree
  readonly edits: readonly StoredTopicEdit[]
  /** The transcript, in order of start time. Needed only to add or split topics. */
  readonly words: readonly WordSpan[]
  readonly change: StructureChange
  /** The texts of an added topic that has none of its own. */
  readonly suggested?: TopicText | undefined
}

const invalid = (detail: string): AppError => new AppError("invalid", detail)

/** A topic or a subtopic of an outline. */
type Section = {
  readonly level: 2 | 3
  /** Its place among the topics, or among the subtopics of its topic. */
  readonly index: number
  /** The place of the first entry, and that of the first one after it. */
  readonly from: number
  readonly to: number
}

const listSections = ({ entries }: Outline, level: 2 | 3, from: number, to: number): Section[] => {
  const starts = Array.from({ length: to - from }, (_, i) => from + i).filter(
    (i) => i === from || entries[i]!.level <= level,
  )
  return starts.map((start, index) => ({ level, index, from: start, to: starts[index + 1] ?? to }))
}

const listTopics = (outline: Outline): Section[] =>
  outline.root.children.length === 0 ? [] : listSections(outline, 2, 0, outline.entries.length)
const listSubtopics = (outline: Outline, { from, to }: Section): Section[] =>
  to - from > 1 ? listSections(outline, 3, from, to) : []

type Found = { readonly section: Section; readonly siblings: readonly Section[]; readonly parent: Section | undefined }

/** @throws AppError `not_found`, or `invalid` for the recording itself */
const find = (outline: Outline, number: string): Found => {
  const [, i, j] = number.split(".").map(Number)
  if (i === undefined) throw invalid("topic: '1' is the recording itself, whose topics can be changed but which stays")
  const topics = listTopics(outline)
  const topic = topics[i - 1]
  const subtopics = topic && j !== undefined ? listSubtopics(outline, topic) : []
  const section = j === undefined ? topic : subtopics[j - 1]
  if (!topic || !section)
    throw new AppError("not_found", `unknown topic '${number}': the clip has no topic of this number`)
  return j === undefined
    ? { section, siblings: topics, parent: undefined }
    : { section, siblings: subtopics, parent: topic }
}

const numberOf = ({ index }: Section, parent: Section | undefined): string =>
  parent ? `1.${parent.index + 1}.${index + 1}` : `1.${index + 1}`

const joinSummaries = (a: TopicText | undefined, b: TopicText | undefined): string => {
  const joined = [a?.summary, b?.summary].filter(Boolean).join(" ")
  return joined.length <= MAX_SUMMARY_CHARS ? joined : (a?.summary ?? "")
}

/** Adds a topic or subtopic at a time. */
const add = (
  outline: Outline,
  { words, suggested }: StructureRequest,
  {
    at_s,
    level,
    title,
    summary,
  }: { at_s: number; level: 2 | 3; title?: string | undefined; summary?: string | undefined },
): void => {
  const { root, entries } = outline
  if (at_s <= root.start_s || at_s >= root.end_s)
    throw invalid(
      `at_s: must be between ${formatSeconds(root.start_s)} and ${formatSeconds(root.end_s)} seconds, where the recording has speech`,
    )
  const exact = entries.find((entry) => entry.at_s === at_s)
  const next = entries.findIndex((entry) => entry.at_s > at_s)
  const i = next < 0 ? entries.length - 1 : next - 1
  const [low_s, high_s] = [entries[i]!.at_s, entries[i + 1]?.at_s ?? root.end_s]
  const start_s = exact ? at_s : snapToWordStart(words, at_s, { low_s, high_s, field: "at_s" })
  const text = (other?: TopicText): TopicText => ({
    title: title ?? other?.title ?? suggested?.title ?? `Topic at ${formatClock(start_s)}`,
    summary: summary ?? other?.summary ?? suggested?.summary ?? "",
  })
  if (exact) {
    if (exact.level === 2 || level === 3) throw invalid(`at_s: a topic already begins at ${formatClock(at_s)}`)
    Object.assign(exact, { level, topic: text(exact.subtopic), changed: "all" })
    return
  }
  const entry: OutlineEntry = {
    at_s: start_s,
    level,
    topic: level === 2 ? text() : undefined,
    // The rest of the subtopic stays a subtopic.
    subtopic: level === 3 ? text() : entries[i]!.subtopic,
    changed: "all",
    isStart: false,
    from_s: start_s,
    edit: undefined,
    run_s: undefined,
  }
  entries.splice(i + 1, 0, entry)
}

const split = (
  outline: Outline,
  request: StructureRequest,
  { topic, at_s, ...texts }: Extract<StructureChange, { action: "split" }>,
): void => {
  const { section } = find(outline, topic)
  const { entries, root } = outline
  const [low_s, high_s] = [entries[section.from]!.at_s, entries[section.to]?.at_s ?? root.end_s]
  if (at_s <= low_s || at_s >= high_s)
    throw invalid(
      `at_s: must be between ${formatSeconds(low_s)} and ${formatSeconds(high_s)} seconds, within topic ${topic}`,
    )
  add(outline, request, { at_s, level: section.level, ...texts })
}

const merge = (
  outline: Outline,
  { topic, with: side, title, summary }: Extract<StructureChange, { action: "merge" }>,
): void => {
  const { section, siblings, parent } = find(outline, topic)
  const other = siblings[section.index + (side === "next" ? 1 : -1)]
  if (!other) {
    const what = parent ? `subtopic of topic ${numberOf(parent, undefined)}` : "topic of the recording"
    throw invalid(`with: ${topic} is the ${side === "next" ? "last" : "first"} ${what}, so it has no ${side} neighbor`)
  }
  const [first, second] = side === "next" ? [section, other] : [other, section]
  const [start, boundary] = [outline.entries[first.from]!, outline.entries[second.from]!]
  const hasSubtopics = first.to - first.from > 1 || second.to - second.from > 1
  const [a, b] = first.level === 2 ? [start.topic, boundary.topic] : [start.subtopic, boundary.subtopic]
  const text: TopicText = { title: title ?? a?.title ?? "", summary: summary ?? joinSummaries(a, b) }
  start.changed = "all"
  if (first.level === 3) start.subtopic = text
  else {
    if (hasSubtopics) start.subtopic ??= start.topic
    start.topic = text
  }
  if (first.level === 2 && hasSubtopics)
    Object.assign(boundary, {
      level: 3,
      subtopic: boundary.subtopic ?? boundary.topic,
      topic: undefined,
      changed: "all",
    })
  else outline.entries = outline.entries.filter((entry) => entry !== boundary)
}

const remove = (outline: Outline, { topic }: Extract<StructureChange, { action: "delete" }>): void => {
  const { section, siblings } = find(outline, topic)
  if (siblings.length === 1) throw invalid(`topic: ${topic} is the only topic, so no other one can take its time`)
  const { entries } = outline
  const { from, to, level } = section
  if (section.index > 0) {
    outline.entries = entries.filter((_, i) => i < from || i >= to)
    return
  }
  // The next one begins earlier.
  const [start, next] = [entries[from]!, entries[to]!]
  if (level === 2) start.topic = next.topic
  start.subtopic = next.subtopic
  start.changed = "all"
  outline.entries = entries.filter((_, i) => i <= from || i > to)
  if (level === 3 && siblings.length === 2) start.subtopic = undefined
}

const move = (outline: Outline, { topic, parent: target }: Extract<StructureChange, { action: "move" }>): void => {
  const { section, siblings, parent } = find(outline, topic)
  const { entries } = outline
  const own = entries[section.from]!
  if (target === "1") {
    if (!parent) throw invalid(`parent: ${topic} is a topic of the recording already`)
    if (section.index > 0) {
      Object.assign(own, { level: 2, topic: own.subtopic, changed: "all" })
      return
    }
    // What follows the first subtopic stays with the topic.
    const next = entries[section.to]!
    Object.assign(next, { level: 2, topic: own.topic, changed: "all" })
    Object.assign(own, { topic: own.subtopic, subtopic: undefined, changed: "all" })
    return
  }
  const { section: into } = find(outline, target)
  if (into.level === 3) throw invalid(`parent: ${target} is a subtopic, and subtopics have no subtopics`)
  const from = parent ?? section
  if (into.index === from.index)
    throw invalid(parent ? `parent: ${topic} is a subtopic of ${target} already` : "parent: must be another topic")
  const isBefore = into.index === from.index - 1
  if (!isBefore && into.index !== from.index + 1)
    throw invalid(`parent: must be the topic before or after, because topics follow each other in time`)
  if (parent && section.index !== (isBefore ? 0 : siblings.length - 1))
    throw invalid(
      `topic: only the ${isBefore ? "first" : "last"} subtopic of ${numberOf(parent, undefined)} can move to topic ${target}. Merge or move the ones between first`,
    )
  const target0 = entries[into.from]!
  if (parent && isBefore) {
    const next = entries[section.to]!
    Object.assign(next, { level: 2, topic: own.topic, changed: "all" })
    Object.assign(own, { level: 3, topic: undefined, changed: "all" })
    if (siblings.length === 2) next.subtopic = undefined
  } else if (parent) {
    Object.assign(own, { level: 2, topic: target0.topic, changed: "all" })
    Object.assign(target0, { level: 3, subtopic: target0.subtopic ?? target0.topic, topic: undefined, changed: "all" })
  } else if (isBefore) {
    Object.assign(own, { level: 3, subtopic: own.subtopic ?? own.topic, topic: undefined, changed: "all" })
  } else {
    const text = own.topic
    Object.assign(own, { topic: target0.topic, subtopic: own.subtopic ?? text, changed: "all" })
    Object.assign(target0, { level: 3, subtopic: target0.subtopic ?? target0.topic, topic: undefined, changed: "all" })
  }
  if (isBefore && into.to - into.from === 1) Object.assign(target0, { subtopic: target0.topic, changed: "all" })
}

const formatSeconds = (seconds: number): string => String(Math.round(seconds * 100) / 100)

/**
 * Adds, splits, merges, deletes or moves a topic and returns the new edits of the clip.
 * @throws AppError `not_found` for an unknown topic, `invalid` if the change is impossible
 */
export const changeStructure = (request: StructureRequest): StoredTopicEdit[] => {
  const { tree, edits, change } = request
  const changed = changeOutline(tree, edits, request, (outline) => {
    switch (change.action) {
      case "add":
        return add(outline, request, change)
      case "split":
        return split(outline, request, change)
      case "merge":
        return merge(outline, change)
      case "delete":
        return remove(outline, change)
      case "move":
        return move(outline, change)
    }
  })
  if (!changed) throw invalid("the recording has no speech, so it has no topics to change")
  return changed
}
