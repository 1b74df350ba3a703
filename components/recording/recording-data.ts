"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { EarmarkError } from "#lib/api/client/errors.ts"
import type { Clip, ClipPatch } from "#lib/domain/clips.ts"
import { applyEdits } from "#lib/domain/transcript/apply-word-edits.ts"
import type { WordEdit } from "#lib/domain/transcript/word-edits.ts"
import { client, errorMessage, isActive, isUnreachable } from "../api/client.ts"
import { notify, notifyError } from "../ui/toast-queue.ts"

/** How often a page looks how far a run is. */
const JOB_POLL_MS = 1500

const clipKey = (id: string) => ["clip", id] as const

export const useClip = (id: string) =>
  useQuery({
    queryKey: clipKey(id),
    queryFn: ({ signal }) => client.clip(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    // Comparing half a million words with themselves costs more than drawing the few that are in sight.
    structuralSharing: false,
  })

export const useWaveform = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ["waveform", id],
    queryFn: ({ signal }) => client.waveform(id, { signal }),
    enabled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useClipJobs = (id: string) =>
  useQuery({
    queryKey: ["runs", id],
    queryFn: ({ signal }) => client.jobs({ clip_id: id, limit: 20 }, { signal }),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isActive) ? JOB_POLL_MS : false),
  })

/** What hangs on a clip's words or title and is now of the past. */
const useStale = (id: string) => {
  const queries = useQueryClient()
  return () => {
    for (const key of [["clips"], ["search"], ["library-search"], ["map"]])
      void queries.invalidateQueries({ queryKey: key })
    return queries.invalidateQueries({ queryKey: clipKey(id) })
  }
}

/** Whether it was a refusal because the recording is no more: deleted in another window, or by somebody else. */
const isDeletedError = (error: unknown, id: string): boolean =>
  error instanceof EarmarkError && error.status === 404 && error.detail === `unknown clip '${id}'`

/** The sentence for a change that failed; `id` is the recording's. */
export const describeEditError = (error: unknown, id: string): string =>
  isDeletedError(error, id) ? "This recording was deleted: there is nothing left to change." : errorMessage(error)

/** What follows from a change that failed: the page learns at once that the recording is gone, or that nobody answers. */
export const useEditErrorHandler = (id: string) => {
  const queries = useQueryClient()
  return (error: unknown): void => {
    if (isDeletedError(error, id)) void queries.invalidateQueries({ queryKey: clipKey(id) })
    if (isUnreachable(error)) void queries.invalidateQueries({ queryKey: ["readiness"] })
  }
}

/** Title and names of speakers. They come from a form, which stays as it is until they are kept. */
export const useEditClip = (id: string) => {
  const queries = useQueryClient()
  const stale = useStale(id)
  const onError = useEditErrorHandler(id)
  return useMutation({
    mutationFn: (patch: ClipPatch) => client.editClip(id, patch),
    onError,
    onSuccess: (_clip, { title, speakers }) => {
      queries.setQueryData<Clip>(
        clipKey(id),
        (clip) =>
          clip && {
            ...clip,
            ...(title !== undefined && { title }),
            ...(speakers && { speakers: { ...clip.speakers, ...speakers } }),
          },
      )
      void stale()
    },
  })
}

type Correction = {
  readonly edits: WordEdit[]
  readonly message: string
  /** They are from a form, which shows what fails and stays until they are kept; without one they are shown at once. */
  readonly isFromForm?: boolean
}

/** Corrections of words and speakers, with a way back. */
export const useWordEdits = (id: string) => {
  const queries = useQueryClient()
  const stale = useStale(id)
  const failed = useEditErrorHandler(id)
  const apply = (edits: WordEdit[]) =>
    queries.setQueryData<Clip>(
      clipKey(id),
      (clip) => clip && { ...clip, transcription: applyEdits(clip.transcription, edits) },
    )
  const undo = async (numbers: readonly number[]) => {
    try {
      for (const number of numbers.toReversed()) await client.dropWordEdit(id, number)
    } catch (error) {
      failed(error)
      notifyError(describeEditError(error, id))
    }
    await stale()
  }
  return useMutation({
    mutationFn: ({ edits }: Correction) => client.editWords(id, edits),
    onMutate: ({ edits, isFromForm: written }) => {
      const before = queries.getQueryData<Clip>(clipKey(id))
      if (!written) apply(edits)
      return before
    },
    onError: (error, { isFromForm: written }, before) => {
      failed(error)
      if (written) return
      queries.setQueryData(clipKey(id), before)
      notifyError(describeEditError(error, id))
    },
    onSuccess: ({ edits }, { message: said, isFromForm: written }) => {
      if (written) apply(edits.map(({ edit }) => edit))
      notify(said, () => void undo(edits.map((e) => e.id)))
      void stale()
    },
  })
}
