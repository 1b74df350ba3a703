import type { FindOptions, HitReference, Replacement, SkippedHit } from "../../../domain/replacements.ts"

export type NewReplacement = FindOptions & { readonly id: string; readonly replace_with: string }

/** Stores what was found and replaced in transcripts. */
export interface ReplacementStore {
  /**
   * Replaces hits of a clip by word edits that belong to the replacement. A hit whose words are others now is left alone.
   * @returns the number of edits, and the hits that were left alone
   */
  apply(
    clipId: string,
    replacement: NewReplacement,
    hits: readonly HitReference[],
  ): Promise<{ readonly edits: number; readonly skipped: SkippedHit[] }>
  /** Lists the replacements that still have edits, newest first. */
  list(): Promise<Replacement[]>
  /** Returns the clips with edits of a replacement, or null if it is unknown. */
  listClips(id: string): Promise<string[] | null>
  /** Removes the edits of a replacement from a clip. Returns their number. */
  undo(id: string, clipId: string): Promise<number>
}
