import type { TopicPreview, TopicPreviewQuery } from "../../api/topics.ts"
import { type ClipRef, getClip } from "../clips/clips.ts"
import type { Deps } from "../deps.ts"

/**
 * Finds the topics that the builtin provider gives a clip with other settings. Stores nothing.
 * @throws AppError `not_found`, `unavailable`
 */
export const previewTopics = async (
  deps: Deps,
  { id }: ClipRef,
  { topic_detail, min_subdivide_duration_s }: TopicPreviewQuery,
  signal: AbortSignal,
): Promise<TopicPreview> => {
  const { transcription, duration_s } = await getClip(deps, { id })
  const found = await deps.engines.outlineTopics(
    { words: transcription, duration_s, detail: topic_detail, minSubdivideDuration_s: min_subdivide_duration_s },
    signal,
  )
  const topics = found.map((topic) => ({
    ...topic,
    children: topic.children.map(({ title, start_s, end_s }) => ({ title, start_s, end_s })),
  }))
  return { topics }
}
