import { AppError, type ErrorCode } from "#lib/domain/errors.ts"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import type { StoredWordEdit } from "#lib/domain/transcript/word-edits.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { markerOf, SOURCES } from "./recordings.ts"

export type ExpectedJob = {
  readonly id: string
  /** The transcript that was given. Null for a job that keeps the transcript of the clip. */
  readonly words: readonly WordSpan[] | null
  /** True if the recording does not exist. */
  readonly isUnreadable: boolean
  /** The state in which it ended, if it has. Only a retry changes it. */
  ended: JobRecord["status"] | null
}

/** The parts of a topic edit that a person made and that no topic run may change. */
export type ExpectedTopicEdit = Readonly<Record<string, unknown>>

/** One clip of the random operations, from its first job to its deletion. */
export class ExpectedClip {
  generation = 0
  /** Null before the first job. */
  id: string | null = null
  /** The address of the upload, if there is one. */
  upload: string | null = null
  jobs: ExpectedJob[] = []
  /** True once the clip was seen. It stays until it is deleted. */
  isPresent = false
  title: string | null = null
  speakers: Record<string, string> = {}
  wordEdits: readonly StoredWordEdit[] = []
  topicEdits: readonly ExpectedTopicEdit[] = []
  /** The topic edits before each change that can be undone, oldest first, and before each that can be made again. */
  topicSteps: (readonly ExpectedTopicEdit[])[] = []
  undoneTopicSteps: (readonly ExpectedTopicEdit[])[] = []
  /** How often the topic edits have changed. */
  topicChanges = 0
  /** The markers of deleted generations. */
  readonly deletedMarkers: string[] = []
  /** True if the last deletion ended between its transaction and the removal of the upload. */
  mayLeaveUpload = false

  constructor(readonly slot: number) {}

  get source(): (typeof SOURCES)[number] {
    return SOURCES[this.slot]!
  }

  get marker(): string {
    return markerOf(`clip${"abcd"[this.slot]}`, this.generation)
  }

  /** Forgets everything, as the deletion of the clip does. */
  delete(): void {
    this.deletedMarkers.push(this.marker)
    this.generation++
    this.jobs = []
    this.isPresent = false
    this.title = null
    this.speakers = {}
    this.wordEdits = []
    this.topicEdits = []
    this.topicSteps = []
    this.undoneTopicSteps = []
  }

  /** Records a change of the topic edits, which can be undone. */
  recordTopicEdits(edits: readonly ExpectedTopicEdit[]): void {
    if (JSON.stringify(edits) === JSON.stringify(this.topicEdits)) return
    this.topicChanges++
    this.topicSteps = [...this.topicSteps, this.topicEdits].slice(-100)
    this.undoneTopicSteps = []
    this.topicEdits = edits
  }
}

export type ExpectedDocument = { readonly id: string; readonly marker: string; readonly key: string | null }

/** What must be true of a library after the operations so far. */
export class Expectations {
  readonly clips = SOURCES.map((_, slot) => new ExpectedClip(slot))
  /** By slot. */
  readonly documents = new Map<number, ExpectedDocument>()
  readonly deletedMarkers: string[] = []
  documentGeneration = 0
  kills = 0
  operations = 0

  get topicChanges(): number {
    return this.clips.reduce((sum, clip) => sum + clip.topicChanges, 0)
  }

  get jobs(): readonly ExpectedJob[] {
    return this.clips.flatMap((clip) => clip.jobs)
  }
}

/** Returns the result, or null if the service rejects the request for one of these reasons. */
export const unlessRejected = async <T>(codes: readonly ErrorCode[], action: () => Promise<T>): Promise<T | null> => {
  try {
    return await action()
  } catch (error) {
    if (AppError.is(error) && codes.includes(error.code)) return null
    throw error
  }
}

/** An invariant that does not hold. */
export class BrokenInvariant extends Error {}

/** @throws BrokenInvariant */
export const assertInvariant = (isTrue: boolean, what: string, seen?: unknown): void => {
  if (!isTrue) throw new BrokenInvariant(seen === undefined ? what : `${what}: ${JSON.stringify(seen)}`)
}
