import type { ClipVersion, IfMatch } from "../../../domain/clip-version.ts"
import type { Clip, ClipEntry, ClipPatch, ClipsQuery } from "../../../domain/clips.ts"
import type { WhisperOutput } from "../../../domain/jobs/job-state.ts"
import type { ClipFacets, LabelChange, TagCount } from "../../../domain/tags.ts"
import type { Waveform } from "../../../domain/transcript/waveform.ts"
import type { StoredWordEdit, WordEdit } from "../../../domain/transcript/word-edits.ts"

/** The columns of a clip that the `whisper` stage writes. */
export type TranscriptColumns = Omit<Extract<WhisperOutput, { kind: "words" }>, "kind">

/** The columns that are written only when a clip is created. */
export type NewClip = { readonly title: string; readonly source_url: string | null; readonly file_path: string | null }

export type DeletedClip = {
  /** The paths of uploaded files that no job refers to any more. The caller removes them. */
  readonly uploads: readonly string[]
}

/** A list of clips. The subject is a region of the map, so that the caller names its clips. */
export type StoredClipsQuery = Omit<ClipsQuery, "subject"> & {
  /** Only these clips. */
  readonly ids?: readonly string[] | undefined
}

export type StoredClipList = {
  readonly clips: ClipEntry[]
  /** The number of clips that match. Only on the first page. */
  readonly total?: number
  readonly next_cursor?: string
}

export type ClipFacetCounts = Omit<ClipFacets, "subjects">

/** Stores clips with their transcripts, word edits and waveforms. */
export interface ClipStore {
  /** Returns null for an unknown clip. */
  get(id: string): Promise<Clip | null>
  /** Returns how often the parts of a clip have changed, or null for an unknown clip. */
  getVersion(id: string): Promise<ClipVersion | null>
  /** Returns the title without reading the transcript, or null for an unknown clip. */
  getTitle(id: string): Promise<string | null>
  /** Lists clips, newest first. */
  list(query: StoredClipsQuery): Promise<StoredClipList>
  /** Lists the tags that clips have, most used first. */
  listTags(): Promise<TagCount[]>
  /** Counts the clips by tag, speaker name and language. */
  countFacets(): Promise<ClipFacetCounts>
  /**
   * Changes the title, the speaker names or the tags, which no job overwrites. Increments the map revision if what the map
   * shows has changed. Returns null for an unknown clip.
   * @throws AppError `precondition_failed` if `ifMatch` names another version of the clip, `invalid` for too many tags
   */
  update(id: string, patch: ClipPatch, ifMatch?: IfMatch): Promise<Clip | null>
  /** Stores the address of the recording of a clip that has none. Returns false if it has one or does not exist. */
  attachRecording(id: string, address: string): Promise<boolean>
  /**
   * Changes tags or the mark as a favorite without reading the clip. Returns true if something has changed, and null for an
   * unknown clip.
   * @throws AppError `invalid` for too many tags
   */
  updateLabels(id: string, change: LabelChange): Promise<boolean | null>
  /**
   * Deletes a clip with its jobs, its topics and the vectors that no other topic uses. If no stage has created the clip
   * yet, deletes the jobs alone. Returns null if there is neither clip nor job.
   * @throws AppError `conflict` while one of its jobs is queued or running, `precondition_failed` as `update`
   */
  delete(id: string, ifMatch?: IfMatch): Promise<DeletedClip | null>

  /** Creates the clip if it is new, then writes the transcript. Stored word edits are applied to the new words. */
  saveTranscript(id: string, clip: NewClip, columns: TranscriptColumns): Promise<void>

  /** Lists the word edits in the order in which they were made. Returns null for an unknown clip. */
  listWordEdits(id: string): Promise<StoredWordEdit[] | null>
  /**
   * Applies edits to the transcript and stores them. Returns null for an unknown clip and an empty list for a clip
   * without a transcript.
   * @throws AppError `precondition_failed` if `ifMatch` names another version of the transcript
   */
  editWords(id: string, edits: readonly WordEdit[], ifMatch?: IfMatch): Promise<StoredWordEdit[] | null>
  /** Reverts one edit. Returns false if the clip has no edit of this ID. @throws AppError as `editWords` */
  removeWordEdit(id: string, edit: number, ifMatch?: IfMatch): Promise<boolean>

  /** Returns the stored waveform if it was computed from the file version that `stamp` identifies, else null. */
  getWaveform(id: string, stamp: string): Promise<Waveform | null>
  saveWaveform(id: string, stamp: string, waveform: Waveform): Promise<void>
}
