"use client"
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { EarmarkError } from "#lib/api/client/errors.ts"
import type { Clip, ClipPatch } from "#lib/domain/clips.ts"
import { applyWordEdits } from "#lib/domain/transcript/apply-word-edits.ts"
import { findNameCorrection, type NameCorrection } from "#lib/domain/transcript/collect-corrections.ts"
import type { WordEdit } from "#lib/domain/transcript/word-edits.ts"
import { client, errorMessage, isUnreachable } from "../api/client.ts"
import { invalidateRecording, queryKeys } from "../api/query-keys.ts"
import { notify, notifyError, notifyWithAction } from "../ui/toast-queue.ts"
import { loadClip } from "./load-clip.ts"

export const useClip = (id: string) =>
  useQuery({
    queryKey: queryKeys.clip(id),
    queryFn: ({ signal }) => loadClip(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    // Comparing half a million words costs more than rendering the few that are visible.
    structuralSharing: false,
  })

export const useWaveform = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: queryKeys.waveform(id),
    queryFn: ({ signal }) => client.waveform(id, { signal }),
    enabled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Returns true if an edit failed because the recording was deleted, for example in another window. */
const isDeletedError = (error: unknown, id: string): boolean =>
  error instanceof EarmarkError && error.status === 404 && error.detail === `unknown clip '${id}'`

/** Returns true if somebody else has changed what an edit concerns. */
const isConflict = (error: unknown): boolean => error instanceof EarmarkError && error.status === 412

/** Returns the message to show for a failed edit of the recording `id`. */
export const describeEditError = (error: unknown, id: string): string => {
  if (isDeletedError(error, id)) return "This recording was deleted and can no longer be changed."
  if (isConflict(error))
    return "It was changed in another window or by someone else. The page shows that change now; repeat yours if it is still needed."
  return errorMessage(error)
}

/** Returns a handler for failed edits: it makes the page notice a changed or deleted recording or an unreachable service. */
export const useEditErrorHandler = (id: string) => {
  const queryClient = useQueryClient()
  return (error: unknown): void => {
    if (isDeletedError(error, id) || isConflict(error)) void invalidateRecording(queryClient, id)
    if (isUnreachable(error)) void queryClient.invalidateQueries({ queryKey: queryKeys.readiness })
  }
}

/** Returns a mutation that changes the title or the names of speakers. */
export const useEditClip = (id: string) => {
  const queryClient = useQueryClient()
  const onError = useEditErrorHandler(id)
  return useMutation({
    mutationFn: (patch: ClipPatch) => client.editClip(id, patch),
    onError,
    onSuccess: (_clip, { title, speakers }) => {
      queryClient.setQueryData<Clip>(
        queryKeys.clip(id),
        (clip) =>
          clip && {
            ...clip,
            ...(title !== undefined && { title }),
            ...(speakers && { speakers: { ...clip.speakers, ...speakers } }),
          },
      )
      void invalidateRecording(queryClient, id)
    },
  })
}

/** Offers to make a correction by itself from now on. */
const offerVocabularyEntry = (queryClient: QueryClient, correction: NameCorrection | null): void => {
  if (!correction) return
  const { term, sounds_like } = correction
  const add = async () => {
    try {
      await client.addVocabulary({ term, sounds_like: [sounds_like] })
      notify(`“${term}” is in the vocabulary for later transcriptions`)
      await queryClient.invalidateQueries({ queryKey: queryKeys.vocabulary })
    } catch (error) {
      notifyError(errorMessage(error))
    }
  }
  notifyWithAction(`Always write “${term}” for “${sounds_like}”?`, "Always", () => void add())
}

type Correction = {
  readonly edits: WordEdit[]
  /** The confirmation to show. */
  readonly message: string
  /** True if a form submits the edits and shows errors itself. Other edits appear immediately and are rolled back on failure. */
  readonly isFromForm?: boolean
}

/** Returns a mutation that corrects words or speakers and offers to undo the correction. */
export const useWordEdits = (id: string) => {
  const queryClient = useQueryClient()
  const handleError = useEditErrorHandler(id)
  const applyLocally = (edits: WordEdit[]) =>
    queryClient.setQueryData<Clip>(
      queryKeys.clip(id),
      (clip) => clip && { ...clip, transcription: applyWordEdits(clip.transcription, edits) },
    )
  const undo = async (editIds: readonly number[]) => {
    try {
      for (const editId of editIds.toReversed()) await client.dropWordEdit(id, editId)
    } catch (error) {
      handleError(error)
      notifyError(describeEditError(error, id))
    }
    await invalidateRecording(queryClient, id)
  }
  return useMutation({
    mutationFn: ({ edits }: Correction) => client.editWords(id, edits),
    onMutate: ({ edits, isFromForm }) => {
      const previous = queryClient.getQueryData<Clip>(queryKeys.clip(id))
      if (!isFromForm) applyLocally(edits)
      return previous
    },
    onError: (error, { isFromForm }, previous) => {
      handleError(error)
      if (isFromForm) return
      queryClient.setQueryData(queryKeys.clip(id), previous)
      notifyError(describeEditError(error, id))
    },
    onSuccess: ({ edits }, { edits: given, message, isFromForm }, previous) => {
      if (isFromForm) applyLocally(edits.map(({ edit }) => edit))
      notify(message, () => void undo(edits.map((e) => e.id)))
      if (previous) offerVocabularyEntry(queryClient, findNameCorrection(previous.transcription, given))
      void invalidateRecording(queryClient, id)
    },
  })
}
