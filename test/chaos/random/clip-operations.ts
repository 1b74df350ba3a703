import { join } from "node:path"
import { Readable } from "node:stream"
import { audioJobRequest, topicSettings } from "#lib/domain/jobs/jobs.ts"
import { flattenTree } from "#lib/domain/topics/flatten-tree.ts"
import type { StructureChange } from "#lib/domain/topics/topic-edits.ts"
import type { FlatTopic } from "#lib/domain/topics/topic-tree.ts"
import type { WordEdit } from "#lib/domain/transcript/word-edits.ts"
import { deleteClip, editClip, getClip } from "#lib/services/clips/clips.ts"
import { editWords, listWordEdits, removeWordEdit } from "#lib/services/clips/word-edits.ts"
import { cancelJob, retryJob } from "#lib/services/jobs/jobs.ts"
import { submitJob } from "#lib/services/jobs/submit-job.ts"
import {
  changeTopics,
  editTopic,
  getTopics,
  removeTopicEdit,
  stepTopicEdits,
} from "#lib/services/topics/topic-edits.ts"
import { rerunTopics } from "#lib/services/topics/topic-runs.ts"
import { findBlobKey, recordingKey } from "#lib/storage/blobs/keys.ts"
import {
  assertInvariant,
  type Expectations,
  type ExpectedClip,
  type ExpectedJob,
  unlessRejected,
} from "./expectations.ts"
import { describeTopicEdits } from "./invariants.ts"
import type { Library } from "./library.ts"
import { createWords } from "./recordings.ts"

type Operation = (e: Expectations, library: Library) => Promise<void>
/** Selects one of the elements that exist when the operation runs. */
const pickFrom = <T>(elements: readonly T[], pick: number): T | undefined =>
  elements[pick % Math.max(1, elements.length)]

const bytesOf = (slot: number): Buffer => Buffer.from(`RIFF recording ${slot}`)

/** Receives and stores an upload, as the service does before it submits the job. */
const storeUpload = async ({ deps: { blobs } }: Library, clip: ExpectedClip) => {
  const incoming = await blobs.receive(Readable.from([bytesOf(clip.slot)]), { maxBytes: 1_000 })
  const name = `recording ${clip.slot}.wav`
  const key = recordingKey(incoming.sha256, name)
  await incoming.keep(key)
  clip.upload = blobs.addressOf(key)
  return { path: blobs.addressOf(key), name, sha256: incoming.sha256 }
}

const sourceOf = ({ folder }: Library, { slot, source }: ExpectedClip): string =>
  source === "url" ? `https://example.org/recording-${slot}` : join(folder, `recording-${slot}.wav`)

const acceptJob = (clip: ExpectedClip, job: Omit<ExpectedJob, "ended">): void => {
  clip.jobs.push({ ...job, ended: null })
}

/** Submits a recording with its transcript. An upload has the same bytes every time. */
export const submit =
  (slot: number, variant: number): Operation =>
  async (e, library) => {
    const clip = e.clips[slot]!
    const words = createWords(clip.marker, variant)
    const upload = clip.source === "upload" ? await storeUpload(library, clip) : undefined
    const request = audioJobRequest.parse({
      source: upload?.name ?? sourceOf(library, clip),
      transcription: words,
      title: `Recording ${clip.marker}`,
      min_subdivide_duration_s: 10,
    })
    const submitted = await submitJob(library.deps, { request, ...(upload && { upload }) })
    assertInvariant(clip.id === null || clip.id === submitted.session_id, "the same source is the same clip", submitted)
    clip.id = submitted.session_id
    clip.mayLeaveUpload = false
    acceptJob(clip, { id: submitted.job_id, words, isUnreadable: false })
  }

/** Stores an upload and dies before the job is submitted. */
export const interruptUpload =
  (slot: number): Operation =>
  async (e, library) => {
    const clip = e.clips[slot]!
    await storeUpload(library, clip)
    if (clip.jobs.length === 0 && !clip.isPresent) clip.mayLeaveUpload = true
  }

/** Submits the path of a recording that does not exist. If the clip exists, it keeps its transcript. */
export const submitPath =
  (slot: number): Operation =>
  async (e, library) => {
    const clip = e.clips[slot]!
    const request = audioJobRequest.parse({ source: sourceOf(library, clip), title: `Recording ${clip.marker}` })
    const { job_id, session_id } = await submitJob(library.deps, { request })
    clip.id = session_id
    acceptJob(clip, { id: job_id, words: null, isUnreadable: true })
  }

export const cancel =
  (pick: number): Operation =>
  async (e, { deps }) => {
    const job = pickFrom(e.jobs, pick)
    if (!job) return
    const cancelled = await unlessRejected(["conflict"], () => cancelJob(deps, { job_id: job.id }))
    if (cancelled)
      assertInvariant(job.ended === null && cancelled.status === "cancelled", "a job that runs is cancelled", job)
  }

export const retry =
  (pick: number): Operation =>
  async (e, { deps }) => {
    const job = pickFrom(e.jobs, pick)
    if (!job) return
    const retried = await unlessRejected(["conflict"], () => retryJob(deps, { job_id: job.id }))
    if (job.ended !== null)
      assertInvariant(
        (retried !== null) === (job.ended !== "done"),
        "a failed or cancelled job can be retried",
        job.ended,
      )
    if (retried) job.ended = null
  }

export const rerun =
  (slot: number, minDuration_s: number): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    if (clip.id === null) return
    const settings = topicSettings.parse({ min_subdivide_duration_s: minDuration_s, provider: "builtin" })
    const { id } = clip
    const submitted = await unlessRejected(clip.isPresent ? [] : ["not_found"], () =>
      rerunTopics(deps, { id }, settings),
    )
    if (submitted) acceptJob(clip, { id: submitted.job_id, words: null, isUnreadable: false })
  }

/** The parts of a random word edit. */
export type RandomWordEdit = {
  readonly kind: "text" | "speaker" | "merge"
  readonly at: number
  readonly length_s: number
  readonly words: number
}

const toWordEdit = ({ kind, at, length_s, words }: RandomWordEdit, clip: ExpectedClip, end_s: number): WordEdit => {
  const span = { start_s: at * end_s, end_s: at * end_s + length_s }
  if (kind === "merge") return { kind, from: "1", into: "0" }
  if (kind === "speaker") return { kind, ...span, speaker: String(words) }
  return { kind, ...span, words: Array.from({ length: words }, (_, i) => (i === 0 ? clip.marker : "corrected")) }
}

export const correctWords =
  (slot: number, random: RandomWordEdit): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    if (clip.id === null) return
    const { id } = clip
    const before = await unlessRejected(clip.isPresent ? [] : ["not_found"], () => getClip(deps, { id }))
    if (!before) return
    const edit = toWordEdit(random, clip, before.duration_s)
    // A merge of an unknown speaker is invalid. A new transcript may be written in between.
    const added = await unlessRejected(["invalid"], () => editWords(deps, { id }, { edits: [edit] }))
    if (!added) return
    assertInvariant(added.edits.length === 1, "an accepted word edit is stored", added.edits)
    const { edits } = await listWordEdits(deps, { id })
    assertInvariant(
      edits.some((stored) => stored.id === added.edits[0]!.id),
      "a stored word edit is listed",
      edits,
    )
    clip.wordEdits = [...clip.wordEdits, ...added.edits]
  }

export const undoWordEdit =
  (slot: number, pick: number): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    const edit = pickFrom(clip.wordEdits, pick)
    if (!edit) return
    // Another transcript removes the merges of speakers.
    const codes = edit.edit.kind === "merge" ? (["not_found"] as const) : []
    await unlessRejected(codes, () => removeWordEdit(deps, { id: clip.id!, edit_id: edit.id }))
    clip.wordEdits = clip.wordEdits.filter(({ id }) => id !== edit.id)
  }

/** Changes the title or the start of a topic. */
export const changeTopic =
  (slot: number, pick: number, field: "title" | "summary" | "start_s"): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    if (!clip.isPresent) return
    const id = clip.id!
    const { topics } = await getClip(deps, { id })
    const topic = pickFrom(topics, pick)
    if (!topic) return
    const text = `Edited ${clip.marker} ${e.operations}`
    const patch = field === "start_s" ? { start_s: topic.start_s + 4 } : { [field]: text }
    // Another run may change the topics in between, and a boundary cannot be moved past the next one.
    const codes = field === "start_s" ? (["invalid", "not_found"] as const) : (["not_found"] as const)
    const edited = await unlessRejected(codes, () => editTopic(deps, { id, topic: topic.number }, patch))
    if (!edited) return
    if (field !== "start_s")
      assertInvariant(
        edited.edits.some((edit) => edit.kind === "text" && edit[field] === text && edit.topic === topic.number),
        `an edited ${field} applies to its topic`,
        edited.edits,
      )
    clip.recordTopicEdits(describeTopicEdits(edited))
  }

/** The parts of a random change of which topics a clip has. */
export type RandomStructureChange = {
  readonly action: StructureChange["action"]
  readonly topic: number
  readonly other: number
  readonly at: number
}

const toStructureChange = (
  { action, topic, other, at }: RandomStructureChange,
  topics: readonly FlatTopic[],
  title: string,
): StructureChange => {
  const { number, start_s, duration_s } = pickFrom(topics, topic)!
  const at_s = start_s + at * duration_s
  switch (action) {
    case "add":
      return { action, at_s, level: other % 2 ? 3 : 2, title }
    case "split":
      return { action, topic: number, at_s, title }
    case "merge":
      return { action, topic: number, with: other % 2 ? "next" : "previous" }
    case "delete":
      return { action, topic: number }
    case "move":
      return { action, topic: number, parent: pickFrom(topics, other)!.number }
  }
}

/** Adds, splits, merges, deletes or moves a topic. */
export const changeStructure =
  (slot: number, random: RandomStructureChange): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    if (!clip.isPresent) return
    const id = clip.id!
    const { topics } = await getClip(deps, { id })
    if (topics.length === 0) return
    const title = `Added ${clip.marker} ${e.operations}`
    const change = toStructureChange(random, topics, title)
    // Not every topic can be changed so, and another run may change the topics in between.
    const changed = await unlessRejected(["invalid", "not_found"], () => changeTopics(deps, { id }, change))
    if (!changed) return
    if (change.action === "add" || change.action === "split") {
      const flat = flattenTree(changed.tree)
      assertInvariant(flat.filter((topic) => topic.title === title).length > 0, "an added topic is shown", flat)
    }
    clip.recordTopicEdits(describeTopicEdits(changed))
  }

/** Undoes or redoes the last change of topics. */
export const stepTopics =
  (slot: number, direction: "undo" | "redo"): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    if (!clip.isPresent) return
    const [from, to] =
      direction === "undo" ? [clip.topicSteps, clip.undoneTopicSteps] : [clip.undoneTopicSteps, clip.topicSteps]
    const stepped = await unlessRejected(from.length === 0 ? ["conflict"] : [], () =>
      stepTopicEdits(deps, { id: clip.id! }, direction),
    )
    assertInvariant((stepped !== null) === from.length > 0, `what was changed can be ${direction}ne`, clip.topicSteps)
    const expected = from.pop()
    if (!stepped || !expected) return
    clip.topicChanges++
    to.push(clip.topicEdits)
    const edits = describeTopicEdits(stepped)
    assertInvariant(isSameEdits(edits, expected), `${direction} restores the topic edits`, { edits, expected })
    clip.topicEdits = edits
  }

const isSameEdits = (a: readonly object[], b: readonly object[]): boolean => {
  const sorted = (edits: readonly object[]) => edits.map((edit) => JSON.stringify(edit)).sort()
  return sorted(a).join() === sorted(b).join()
}

export const undoTopicEdit =
  (slot: number, pick: number): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    if (!clip.isPresent) return
    const { edits } = await getTopics(deps, { id: clip.id! })
    const edit = pickFrom(edits, pick)
    if (edit) clip.recordTopicEdits(describeTopicEdits(await removeTopicEdit(deps, { id: clip.id!, edit: edit.id })))
  }

export const rename =
  (slot: number): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    if (!clip.isPresent) return
    const title = `Renamed ${clip.marker} ${e.operations}`
    await editClip(deps, { id: clip.id! }, { title })
    clip.title = title
  }

export const nameSpeaker =
  (slot: number): Operation =>
  async (e, { deps }) => {
    const clip = e.clips[slot]!
    if (!clip.isPresent) return
    const name = `Speaker ${clip.marker} ${e.operations}`
    // Word edits can leave no word to speaker 0.
    const named = await unlessRejected(["invalid"], () => editClip(deps, { id: clip.id! }, { speakers: { 0: name } }))
    if (named) clip.speakers = { ...clip.speakers, 0: name }
  }

/** Cancels the jobs of a clip that have not ended. */
const cancelJobs = async ({ jobs }: ExpectedClip, { deps }: Library): Promise<void> => {
  for (const { id, ended } of jobs)
    if (ended === null) await unlessRejected(["conflict"], () => cancelJob(deps, { job_id: id }))
}

export type Removal = {
  /** True if the jobs of the clip are canceled before. */
  readonly isCanceling: boolean
  /** True if the process dies between the transaction and the removal of the upload. */
  readonly isInterrupted: boolean
}

export const remove =
  (slot: number, { isCanceling, isInterrupted }: Removal): Operation =>
  async (e, library) => {
    const { deps } = library
    const clip = e.clips[slot]!
    if (clip.id === null) return
    const { id } = clip
    if (isCanceling) await cancelJobs(clip, library)
    const hasRows = clip.isPresent || clip.jobs.length > 0
    const codes = hasRows ? (["conflict"] as const) : (["not_found"] as const)
    const deleted = await unlessRejected(codes, async () => {
      if (isInterrupted) return (await deps.store.clips.delete(id)) !== null
      await deleteClip(deps, { id })
      return true
    })
    if (deleted === null) {
      assertInvariant(
        !hasRows || clip.jobs.some(({ ended }) => ended === null),
        "only an active job prevents a deletion",
        clip.jobs,
      )
      return
    }
    if (!deleted) return
    clip.delete()
    if (clip.upload === null) return
    if (isInterrupted) clip.mayLeaveUpload = true
    else {
      const left = await deps.blobs.stat(findBlobKey(deps.blobs, clip.upload)!)
      assertInvariant(left === null, "the deletion of a clip removes its upload", left)
    }
  }
