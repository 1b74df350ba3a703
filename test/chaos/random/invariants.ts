import { splitTranscript } from "#lib/documents/clip-chunks.ts"
import { sha256 } from "#lib/domain/ids.ts"
import { flattenTree } from "#lib/domain/topics/flatten-tree.ts"
import type { ClipTopics } from "#lib/domain/topics/topic-edits.ts"
import { type TopicNode, topicEmbeddingText } from "#lib/domain/topics/topic-tree.ts"
import { applyWordEdits } from "#lib/domain/transcript/apply-word-edits.ts"
import { findMissingUploads } from "#lib/services/maintenance/check-uploads.ts"
import { getVizData } from "#lib/services/map/map-data.ts"
import { searchViz } from "#lib/services/map/map-search.ts"
import { query } from "#lib/services/search/query.ts"
import { searchLibrary } from "#lib/services/search/search-library.ts"
import { findBlobKey } from "#lib/storage/blobs/keys.ts"
import { assertInvariant, type Expectations, type ExpectedClip, type ExpectedTopicEdit } from "./expectations.ts"
import type { Library } from "./library.ts"

const ENDED = ["done", "error", "cancelled"]

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns what people changed, without the effect that it has on the current topics. */
export const describeTopicEdits = ({ edits }: ClipTopics): ExpectedTopicEdit[] =>
  edits.map(({ topic: _, detail: __, edited_at: ___, ...edit }) => edit)

const checkJobs = async ({ clips }: Expectations, { deps }: Library): Promise<void> => {
  for (const clip of clips)
    for (const job of clip.jobs) {
      const record = await deps.store.jobs.get(job.id)
      assertInvariant(record !== null, "an accepted job exists until its clip is deleted", job.id)
      assertInvariant(job.ended === null || record!.status === job.ended, "an ended job stays in its end state", record)
      if (ENDED.includes(record!.status)) job.ended = record!.status
      if (record!.stages.whisper === "done") clip.isPresent = true
    }
}

/** Checks what people set, which no job and no clean-up may change. */
const checkClip = async (clip: ExpectedClip, { deps: { store } }: Library): Promise<void> => {
  const stored = clip.id === null ? null : await store.clips.get(clip.id)
  assertInvariant(stored !== null || !clip.isPresent, "a transcribed clip exists until it is deleted", clip.id)
  if (!stored) return
  assertInvariant(clip.jobs.length > 0, "a deleted clip does not return", clip.id)
  clip.isPresent = true
  clip.title ??= stored.title
  assertInvariant(stored.title === clip.title, "no job changes the title", [stored.title, clip.title])
  assertInvariant(isEqual(stored.speakers, clip.speakers), "no job changes the names of speakers", stored.speakers)
  const wordEdits = (await store.clips.listWordEdits(stored.id))!
  // Another transcript removes the merges of speakers.
  const lost = clip.wordEdits.filter(
    (edit) => edit.edit.kind !== "merge" && !wordEdits.some(({ id }) => id === edit.id),
  )
  assertInvariant(lost.length === 0, "word edits survive", lost)
  assertInvariant(
    wordEdits.every((edit) => clip.wordEdits.some(({ id }) => id === edit.id)),
    "a removed word edit does not return",
    wordEdits,
  )
  clip.wordEdits = wordEdits
  const topicEdits = describeTopicEdits((await store.topics.get(stored.id))!)
  assertInvariant(isEqual(topicEdits, clip.topicEdits), "topic edits survive", {
    topicEdits,
    expected: clip.topicEdits,
  })
}

/** Checks the invariants that hold at any time. */
export const checkAlways = async (e: Expectations, library: Library): Promise<void> => {
  await checkJobs(e, library)
  for (const clip of e.clips) await checkClip(clip, library)
  const { documents, chunks, textRows, vectors } = await library.deps.index.getCounts()
  assertInvariant(chunks === textRows && chunks === vectors, "each chunk has a text row and a vector", {
    chunks,
    textRows,
    vectors,
  })
  assertInvariant(documents >= e.documents.size, "an added document exists until it is removed", documents)
}

const checkEndStates = async (e: Expectations, { deps: { store } }: Library): Promise<void> => {
  for (const job of e.jobs) {
    const { status, stages, error, progress } = (await store.jobs.get(job.id))!
    assertInvariant(job.ended === status, "an accepted job ends in one end state", { status, stages })
    const states = Object.values(stages)
    assertInvariant(
      !states.some((s) => s === "queued" || s === "running"),
      "no stage of an ended job is active",
      stages,
    )
    assertInvariant(
      (status === "done") === states.every((s) => s === "done"),
      "a done job is done in every stage",
      stages,
    )
    assertInvariant((status === "error") === (error !== undefined), "a failed job has a reason", { status, error })
    assertInvariant(progress === null || status !== "done", "a done job shows no progress", progress)
    const isExpected = job.isUnreadable || (e.kills > 0 && /stopped responding/.test(error?.detail ?? ""))
    assertInvariant(status !== "error" || isExpected, "only an unreadable recording or kills fail a job", error)
  }
}

const checkTranscript = async (clip: ExpectedClip, { deps }: Library): Promise<void> => {
  const { transcription, title } = (await deps.store.clips.get(clip.id!))!
  const edits = clip.wordEdits.map(({ edit }) => edit)
  const isOfJob = clip.jobs.some(({ words }) => words !== null && isEqual(applyWordEdits(words, edits), transcription))
  assertInvariant(isOfJob, "a transcript is that of a job with the word edits applied", clip.id)
  const expected = splitTranscript({ title, transcription }, deps.config.documents.chunkSize)
  const chunks = await deps.index.getClipChunks(clip.id!)
  assertInvariant(
    isEqual(
      chunks.map(({ text }) => text),
      expected.map(({ text }) => text),
    ),
    "the chunks of a clip equal its transcript",
    clip.id,
  )
  assertInvariant(
    chunks.every(({ metadata }) => metadata.title === title),
    "the chunks of a clip have its title",
    [chunks[0]?.metadata.title, title],
  )
}

/** Returns true if the children of each topic cover it in order. */
const isTiled = ({ start_s, end_s, children }: TopicNode): boolean =>
  children.length === 0 ||
  (children[0]!.start_s === start_s &&
    children.at(-1)!.end_s === end_s &&
    children.every(
      (child, i) => child.start_s < child.end_s && child.start_s === (children[i - 1]?.end_s ?? start_s),
    ) &&
    children.every(isTiled))

/** Checks that everything derived from a topic tree equals it. */
const checkTopics = async (clip: ExpectedClip, library: Library): Promise<void> => {
  const { store } = library.deps
  const { tree, edits } = (await store.topics.get(clip.id!))!
  const flat = flattenTree(tree)
  assertInvariant(tree.topics.every(isTiled), "topics and subtopics follow each other without gaps", tree)
  const { topics, title } = (await store.clips.get(clip.id!))!
  assertInvariant(isEqual(topics, flat), "the topics of a clip equal its edited tree", { topics, flat })
  const { topics: all } = await store.map.getSnapshot()
  const points = all.filter(({ clip_id }) => clip_id === clip.id)
  assertInvariant(
    isEqual(
      points.map((p) => [p.number, p.title, p.summary, p.hash]),
      flat.map((t) => [t.number, t.title, t.summary, sha256(topicEmbeddingText(t))]),
    ),
    "the points of the map equal the edited tree",
    points,
  )
  const speech = await store.map.getSpeech(points.map(({ speechHash }) => speechHash))
  assertInvariant(
    points.every(({ speechHash }) => speech.has(speechHash)),
    "the speech of each topic is stored",
    clip.id,
  )
  for (const { number, title } of flat) {
    const titles = edits.flatMap((edit) => (edit.kind === "text" && edit.topic === number ? (edit.title ?? []) : []))
    assertInvariant(titles.length === 0 || titles.includes(title), "an applied edit shows in the tree", {
      number,
      title,
      titles,
    })
  }
  const hits = await store.library.search({ q: title, limit: 50 })
  assertInvariant(
    hits.titles.some((hit) => hit.clip_id === clip.id),
    "the search finds the title of a clip",
    title,
  )
  for (const topic of flat.filter(({ level }) => level > 1).slice(0, 3)) {
    const found = (await store.library.search({ q: topic.title, limit: 50 })).topics
    assertInvariant(
      found.some((hit) => hit.clip_id === clip.id && hit.number === topic.number),
      "the search finds the title of a topic",
      topic,
    )
  }
}

/** Checks that the map places every topic as its clip shows it, once, at a finite place. */
const checkMap = async ({ deps }: Library): Promise<void> => {
  const describe = (points: readonly { clip_id: string; number: string; title: string }[]) =>
    points.map((p) => `${p.clip_id} ${p.number} ${p.title}`).sort()
  const { topics } = await deps.store.map.getSnapshot()
  const { points } = (await getVizData(deps, {})).body
  const shown = points.map(({ topic_title, ...point }) => ({ ...point, title: topic_title }))
  assertInvariant(isEqual(describe(shown), describe(topics)), "the map shows the topics of all clips", points)
  const isPlaced = points.every(({ x, y, z }) => [x, y, z].every(Number.isFinite))
  assertInvariant(isPlaced, "each point of the map has a place", points)
}

/** Checks that nothing of what was deleted is stored, found or answered. */
const checkDeleted = async (e: Expectations, { deps, findInTables }: Library): Promise<void> => {
  const gone = [...e.deletedMarkers, ...e.clips.flatMap((clip) => clip.deletedMarkers)]
  const ids = e.clips.flatMap(({ id, jobs }) => (id !== null && jobs.length === 0 ? [id] : []))
  // People outlive the recordings in which they were named.
  const occurrences = (await findInTables([...gone, ...ids])).filter(({ table }) => table !== "people")
  assertInvariant(occurrences.length === 0, "no table contains a deleted clip or document", occurrences)
  const last = gone.at(-1)
  if (last === undefined) return
  const signal = new AbortController().signal
  const exact = await deps.store.library.search({ q: last, limit: 10 })
  assertInvariant(
    [...exact.titles, ...exact.topics, ...exact.words].length === 0,
    "no search finds what is deleted",
    exact,
  )
  const { sources, answer } = await query(deps, { question: `What is ${last}?`, scope: "all" }, signal)
  const text = JSON.stringify([sources, answer, await searchLibrary(deps, { q: last, limit: 10 })])
  assertInvariant(!gone.some((marker) => text.includes(marker)), "no answer cites what is deleted", text)
  const onMap = JSON.stringify(await searchViz(deps, { q: last, top_k: 10 }))
  assertInvariant(!gone.some((marker) => onMap.includes(marker)), "no search of the map shows what is deleted", onMap)
}

const checkUploads = async (e: Expectations, { deps }: Library): Promise<void> => {
  assertInvariant((await findMissingUploads(deps)).length === 0, "each upload to which something refers exists")
  const stored = new Set<string>()
  for await (const { key } of deps.blobs.list("")) stored.add(key)
  const accepted = e.clips.flatMap(({ upload, jobs }) => (upload !== null && jobs.length > 0 ? [upload] : []))
  const keys = new Set([
    ...accepted.map((address) => findBlobKey(deps.blobs, address)!),
    ...[...e.documents.values()].flatMap(({ key }) => key ?? []),
  ])
  for (const key of keys) assertInvariant(stored.has(key), "each accepted upload has its blob", key)
  const left = e.clips.flatMap(({ upload, mayLeaveUpload }) =>
    mayLeaveUpload ? [findBlobKey(deps.blobs, upload!)] : [],
  )
  for (const key of stored)
    assertInvariant(keys.has(key) || left.includes(key), "no blob is left without a reference", key)
}

const checkDocuments = async (e: Expectations, { deps }: Library): Promise<void> => {
  const listed = (await deps.index.listFiles()).map(({ id }) => id).sort()
  const expected = [...e.documents.values()].map(({ id }) => id).sort()
  assertInvariant(isEqual(listed, expected), "the documents are those that were added", { listed, expected })
  for (const { id, marker } of e.documents.values()) {
    const { chunks } = (await deps.index.getFile(id))!
    assertInvariant(
      chunks.some(({ text }) => text.includes(marker)),
      "a document contains its latest text",
      marker,
    )
  }
}

/** Checks the invariants that hold once every job has ended and no message is left. */
export const checkSettled = async (e: Expectations, library: Library): Promise<void> => {
  const { deps } = library
  await checkAlways(e, library)
  await checkEndStates(e, library)
  // As the workers do periodically.
  await deps.store.library.prepare()
  await query(deps, { question: "sailing honey bread", scope: "clips" }, new AbortController().signal)
  for (const clip of e.clips.filter(({ isPresent }) => isPresent)) {
    await checkTranscript(clip, library)
    await checkTopics(clip, library)
  }
  await checkMap(library)
  await checkDeleted(e, library)
  await checkUploads(e, library)
  await checkDocuments(e, library)
  const { length } = await deps.broker!.deadLetters({ limit: 10 })
  assertInvariant(length === 0, "there are no dead letters", length)
}
