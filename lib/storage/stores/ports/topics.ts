import type { IfMatch } from "../../../domain/clip-version.ts"
import type { PersistOutput } from "../../../domain/jobs/job-state.ts"
import type { TopicSettings } from "../../../domain/jobs/jobs.ts"
import type { ClipTopics, StructureChange, TopicPatch, TopicText } from "../../../domain/topics/topic-edits.ts"
import type { TopicRun, TopicRunEntry } from "../../../domain/topics/topic-runs.ts"

/** Stores the topic tree of a clip, the edits that people made to it, and its recent topic runs. */
export interface TopicStore {
  /** Returns the topic tree with its edits applied, and the edits, oldest first. Returns null for an unknown clip. */
  get(clipId: string): Promise<ClipTopics | null>
  /**
   * Replaces tree, topics and vectors of a clip, and stores the tree as a topic run with the settings that produced it.
   * Topic edits stay. Returns false for an unknown clip.
   */
  save(clipId: string, output: PersistOutput, settings?: TopicSettings): Promise<boolean>
  /**
   * Edits a topic, identified by its number in the current tree. A null in the patch removes the edit of that field.
   * Increments the map revision. Returns null for an unknown clip.
   * @throws AppError `not_found` for an unknown topic, `invalid` for an impossible boundary,
   * `precondition_failed` if `ifMatch` names another version of the topics
   */
  edit(clipId: string, topic: string, patch: TopicPatch, ifMatch?: IfMatch): Promise<ClipTopics | null>
  /**
   * Adds, splits, merges, deletes or moves a topic. Returns null for an unknown clip.
   * @param options `suggested` are the texts of a new topic that has none of its own
   * @throws AppError `not_found` for an unknown topic, `invalid` for an impossible change, `precondition_failed` as `edit`
   */
  change(
    clipId: string,
    change: StructureChange,
    options?: { readonly suggested?: TopicText | undefined; readonly ifMatch?: IfMatch | undefined },
  ): Promise<ClipTopics | null>
  /** Removes all edits of a topic and of its boundaries. Returns null for an unknown clip. @throws AppError as `edit` */
  reset(clipId: string, topic: string, ifMatch?: IfMatch): Promise<ClipTopics | null>
  /**
   * Undoes the last change of the topic edits of a clip, or makes the last undone one again. Returns null for an unknown
   * clip.
   * @throws AppError `conflict` if there is none, `precondition_failed` as `edit`
   */
  step(clipId: string, direction: "undo" | "redo", ifMatch?: IfMatch): Promise<ClipTopics | null>
  /**
   * Removes one edit, whether it is applied to the current tree or not. Returns null for an unknown clip.
   * @throws AppError `not_found` for an unknown edit, `precondition_failed` as `edit`
   */
  removeEdit(clipId: string, edit: string, ifMatch?: IfMatch): Promise<ClipTopics | null>
  /** Lists the stored topic runs, newest first; the newest produced the current tree. Returns null for an unknown clip. */
  listRuns(clipId: string): Promise<TopicRunEntry[] | null>
  /** Returns a topic run with its unedited tree, or null for an unknown run. */
  getRun(runId: string): Promise<TopicRun | null>
}
