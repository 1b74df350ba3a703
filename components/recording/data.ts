"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { applyEdits } from "#lib/contracts/apply-edits.ts"
import type { Clip, ClipPatch } from "#lib/contracts/clips.ts"
import type { WordEdit } from "#lib/contracts/word-edits.ts"
import { client, isActive, sentence } from "../api.ts"
import { complain, notify } from "../ui/messages.ts"

/** How often a page looks how far a run is. */
const RUN_POLL_MS = 1500

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

export const useRuns = (id: string) =>
  useQuery({
    queryKey: ["runs", id],
    queryFn: ({ signal }) => client.jobs({ clip_id: id, limit: 20 }, { signal }),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isActive) ? RUN_POLL_MS : false),
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

/** Title and names of speakers: shown at once, put back with a sentence when it fails. */
export const usePatch = (id: string) => {
  const queries = useQueryClient()
  const stale = useStale(id)
  return useMutation({
    mutationFn: (patch: ClipPatch) => client.editClip(id, patch),
    onMutate: (patch) => {
      const before = queries.getQueryData<Clip>(clipKey(id))
      if (before)
        queries.setQueryData<Clip>(clipKey(id), {
          ...before,
          ...(patch.title !== undefined && { title: patch.title }),
          ...(patch.speakers && { speakers: { ...before.speakers, ...patch.speakers } }),
        })
      return before
    },
    onError: (error, _patch, before) => {
      queries.setQueryData(clipKey(id), before)
      complain(sentence(error))
    },
    onSuccess: () => void stale(),
  })
}

type Correction = { readonly edits: WordEdit[]; readonly said: string }

/** Corrections of words and voices: shown at once, with a way back. */
export const useCorrect = (id: string) => {
  const queries = useQueryClient()
  const stale = useStale(id)
  const undo = async (numbers: readonly number[]) => {
    try {
      for (const number of numbers.toReversed()) await client.dropWordEdit(id, number)
    } catch (error) {
      complain(sentence(error))
    }
    await stale()
  }
  return useMutation({
    mutationFn: ({ edits }: Correction) => client.editWords(id, edits),
    onMutate: ({ edits }) => {
      const before = queries.getQueryData<Clip>(clipKey(id))
      if (before)
        queries.setQueryData<Clip>(clipKey(id), {
          ...before,
          transcription: applyEdits(before.transcription, edits),
        })
      return before
    },
    onError: (error, _correction, before) => {
      queries.setQueryData(clipKey(id), before)
      complain(sentence(error))
    },
    onSuccess: ({ edits }, { said }) => {
      notify(said, () => void undo(edits.map((e) => e.id)))
      void stale()
    },
  })
}
