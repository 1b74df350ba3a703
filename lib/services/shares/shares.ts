import type { ShareList } from "../../api/shares.ts"
import { AppError } from "../../domain/errors.ts"
import { findTopicAt, type TimeRange } from "../../domain/export/excerpt.ts"
import { newId } from "../../domain/ids.ts"
import type { Share, ShareRequest } from "../../domain/shares.ts"
import { randomSecret } from "../../domain/token-secrets.ts"
import type { StoredShare } from "../../storage/stores/ports/shares.ts"
import { type ClipRef, getClip, unknownClip } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"

const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Returns the shared part of a recording, or null for the whole. */
export const shareRange = ({ startS, endS }: Pick<StoredShare, "startS" | "endS">): TimeRange | null =>
  startS === null || endS === null ? null : { start_s: startS, end_s: endS }

const toShare = (share: StoredShare, title: string): Share => ({
  id: share.id,
  clip_id: share.clipId,
  path: `/share/${share.secret}`,
  title,
  start_s: share.startS,
  end_s: share.endS,
  with_audio: share.withAudio,
  created_at: new Date(share.createdAt).toISOString(),
  expires_at: toIso(share.expiresAt),
  last_opened_at: toIso(share.lastOpenedAt),
})

/** Adds the current titles to links. A link whose clip is being deleted is left out. */
const withTitles = async (deps: Deps, shares: readonly StoredShare[]): Promise<Share[]> => {
  const { clips, topics } = requireStore(deps)
  const titles = new Map<string, string | null>()
  const listed: Share[] = []
  for (const share of shares) {
    if (!titles.has(share.clipId)) titles.set(share.clipId, await clips.getTitle(share.clipId))
    const title = titles.get(share.clipId)
    if (title === null || title === undefined) continue
    const range = shareRange(share)
    const tree = range && (await topics.get(share.clipId))?.tree
    listed.push(toShare(share, (range && tree && findTopicAt({ tree }, range)?.title) || title))
  }
  return listed
}

/** Lists share links, newest first: those of a clip, or the newest 1000 of all clips. @throws AppError `not_found` */
export const listShares = async (
  deps: Deps,
  { clip_id }: { readonly clip_id?: string | undefined },
): Promise<ShareList> => {
  const { clips, shares } = requireStore(deps)
  if (clip_id !== undefined && (await clips.getTitle(clip_id)) === null) throw unknownClip(clip_id)
  return { shares: await withTitles(deps, await shares.list({ clipId: clip_id })) }
}

/**
 * Creates a share link for a recording or a topic of it. The link keeps the time range that the topic has now.
 * @throws AppError `not_found` for an unknown clip or topic, `invalid` for an expiry in the past, `conflict` if the clip has too
 *   many links
 */
export const createShare = async (deps: Deps, ref: ClipRef, request: ShareRequest): Promise<Share> => {
  const { shares } = requireStore(deps)
  const expiresAt = request.expires_at === null ? null : Date.parse(request.expires_at)
  if (expiresAt !== null && expiresAt <= Date.now())
    throw new AppError("invalid", "expires_at: must be in the future. Leave it out for a link that never expires.")
  const clip = await getClip(deps, ref)
  const topic = request.topic === null ? null : clip.topics.find(({ number }) => number === request.topic)
  if (topic === undefined) throw new AppError("not_found", `clip '${ref.id}' has no topic '${request.topic}'`)
  const isPart = topic !== null && topic.level > 1
  const stored = await shares.create({
    id: newId(),
    clipId: clip.id,
    secret: randomSecret(),
    startS: isPart ? topic.start_s : null,
    endS: isPart ? topic.start_s + topic.duration_s : null,
    withAudio: request.with_audio && clip.file_path !== null,
    expiresAt,
  })
  if (stored === null) throw unknownClip(ref.id)
  return toShare(stored, topic?.title ?? clip.title)
}

/** Revokes a share link. Its page stops working immediately. @throws AppError `not_found` */
export const revokeShare = async (deps: Deps, { id }: { readonly id: string }): Promise<void> => {
  if (!(await requireStore(deps).shares.revoke(id))) throw new AppError("not_found", `unknown share link '${id}'`)
}
