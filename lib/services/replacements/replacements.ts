import type {
  ReplacementList,
  ReplacementPreview,
  ReplacementResult,
  UndoneReplacement,
} from "../../api/replacements.ts"
import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import {
  type HitReference,
  MAX_HITS_PER_CLIP,
  type PreviewRequest,
  type ReplacementHit,
  type ReplacementRequest,
  type SkippedHit,
} from "../../domain/replacements.ts"
import { findHits } from "../../domain/transcript/find-hits.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { unknownClip } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"

/** The number of words of context on either side of a hit. */
const CONTEXT_WORDS = 8

const textOf = (words: readonly WordSpan[]): string => words.map(({ word }) => word).join(" ")

/** Finds the hits in a clip. @returns at most `MAX_HITS_PER_CLIP`, and how many there are */
const previewClip = (
  clip: { readonly id: string; readonly title: string; readonly transcription: readonly WordSpan[] },
  request: PreviewRequest,
) => {
  const { id, title, transcription: words } = clip
  const found = findHits(words, request, request.replace_with)
  const hits = found.slice(0, MAX_HITS_PER_CLIP).map(({ first, end, text, replacement }): ReplacementHit => {
    const { start, speaker } = words[first]!
    const end_s = words.slice(first, end).reduce((latest, word) => Math.max(latest, word.end), start)
    const before = textOf(words.slice(Math.max(0, first - CONTEXT_WORDS), first))
    const after = textOf(words.slice(end, end + CONTEXT_WORDS))
    return { clip_id: id, start_s: start, end_s, speaker, text, replacement, before, after }
  })
  return { clip_id: id, title, total: found.length, hits }
}

/** Finds a text in one clip, or in the next clips of the library. Changes nothing. @throws AppError `not_found` */
export const previewReplacement = async (deps: Deps, request: PreviewRequest): Promise<ReplacementPreview> => {
  const { clips } = requireStore(deps)
  if (request.clip_id !== undefined) {
    const clip = await clips.get(request.clip_id)
    if (!clip) throw unknownClip(request.clip_id)
    const found = previewClip(clip, request)
    return { clips: found.total > 0 ? [found] : [], searched: 1, total: 1 }
  }
  const { limit, cursor } = request
  const page = await clips.list({ sort: "-created_at", limit, ...(cursor !== undefined && { cursor }) })
  const found: ReplacementPreview["clips"] = []
  for (const { id } of page.clips) {
    // One after the other, because each transcript takes some megabytes.
    const clip = await clips.get(id)
    const preview = clip && previewClip(clip, request)
    if (preview && preview.total > 0) found.push(preview)
  }
  const { total, next_cursor } = page
  return {
    clips: found,
    searched: page.clips.length,
    ...(total !== undefined && { total }),
    ...(next_cursor !== undefined && { next_cursor }),
  }
}

const groupByClip = (hits: readonly HitReference[]): ReadonlyMap<string, HitReference[]> => {
  const groups = new Map<string, HitReference[]>()
  for (const hit of hits) {
    const group = groups.get(hit.clip_id)
    if (group) group.push(hit)
    else groups.set(hit.clip_id, [hit])
  }
  return groups
}

/**
 * Replaces hits by word edits, which re-transcription reapplies. Each hit is found again first: one whose words have changed is
 * left alone and reported.
 */
export const replaceHits = async (deps: Deps, request: ReplacementRequest): Promise<ReplacementResult> => {
  const { replacements } = requireStore(deps)
  const { hits, replacement_id, ...what } = request
  const id = replacement_id ?? newId()
  const skipped: SkippedHit[] = []
  let [edits, clips] = [0, 0]
  for (const [clipId, own] of groupByClip(hits)) {
    const applied = await replacements.apply(clipId, { ...what, id }, own)
    skipped.push(...applied.skipped)
    edits += applied.edits
    if (applied.edits > 0) clips++
  }
  return { id, edits, clips, skipped }
}

/** Lists the replacements that can be undone, newest first. */
export const listReplacements = async (deps: Deps): Promise<ReplacementList> => ({
  replacements: await requireStore(deps).replacements.list(),
})

/** Removes all edits of a replacement, in every clip. @throws AppError `not_found` */
export const undoReplacement = async (deps: Deps, { id }: { readonly id: string }): Promise<UndoneReplacement> => {
  const { replacements } = requireStore(deps)
  const clips = await replacements.listClips(id)
  if (clips === null) throw new AppError("not_found", `unknown replacement '${id}'`)
  let edits = 0
  for (const clipId of clips) edits += await replacements.undo(id, clipId)
  return { edits, clips: clips.length }
}
