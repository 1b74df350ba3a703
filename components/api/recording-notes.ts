"use client"
import { useQuery } from "@tanstack/react-query"
import { client } from "./client.ts"
import { queryKeys } from "./query-keys.ts"

const MAX_PER_RECORDING = 1000

/** Returns all notes of a recording, newest first. */
export const useRecordingNotes = (clipId: string) =>
  useQuery({
    queryKey: queryKeys.recordingNotes(clipId),
    queryFn: ({ signal }) => client.notes({ clip_id: clipId, limit: MAX_PER_RECORDING }, { signal }),
  })
