"use client"
import type { Clip } from "#lib/domain/clips.ts"
import { fromWordColumns } from "#lib/domain/transcript/word-columns.ts"
import { client } from "../api/client.ts"
import { CLIP_FIELDS, getClipAddress } from "../api/clip-address.ts"

type ColumnarClip = Pick<Clip, (typeof CLIP_FIELDS)[number]>

/** Returns a recording with its words. Words that columns cannot represent exactly are loaded as they are. */
const withWords = async ({ word_columns, ...clip }: ColumnarClip, signal: AbortSignal): Promise<Clip> => {
  if (word_columns) return { ...clip, transcription: fromWordColumns(word_columns) }
  const { transcription } = await client.clip(clip.id, { signal, fields: ["transcription"] })
  return { ...clip, transcription }
}

/** Loads a recording for its page. */
export const loadClip = async (id: string, signal: AbortSignal): Promise<Clip> =>
  withWords(await client.clip(id, { signal, fields: CLIP_FIELDS }), signal)

/** Loads a recording if it has changed since `etag`. Returns null if not, or if it cannot be loaded. */
export const loadChangedClip = async (id: string, etag: string, signal: AbortSignal): Promise<Clip | null> => {
  const response = await fetch(getClipAddress(id), { headers: { "if-none-match": etag }, cache: "no-store", signal })
  return response.status === 200 ? withWords(await response.json(), signal) : null
}
