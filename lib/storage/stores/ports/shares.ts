export type NewShare = {
  readonly id: string
  readonly clipId: string
  /** The last segment of the link. */
  readonly secret: string
  /** The shared time range in seconds. Null for the whole recording. */
  readonly startS: number | null
  readonly endS: number | null
  readonly withAudio: boolean
  readonly expiresAt: number | null
}

export type StoredShare = NewShare & { readonly createdAt: number; readonly lastOpenedAt: number | null }

/** Stores share links. Deleting a clip deletes its links. */
export interface ShareStore {
  /** Returns null for an unknown clip. @throws AppError `conflict` if the clip has too many links */
  create(share: NewShare): Promise<StoredShare | null>
  /** Lists links, newest first, including expired ones: those of one clip, or all. */
  list(filter: { readonly clipId?: string | undefined }): Promise<StoredShare[]>
  /** Deletes a link. Returns false for an unknown ID. */
  revoke(id: string): Promise<boolean>
  /**
   * Returns the link with a secret and records that it was opened, at most once a minute. Returns null for an unknown secret
   * and for an expired link.
   */
  open(secret: string): Promise<StoredShare | null>
}
