"use client"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ClipSpeakerPatch, ClipSpeakers } from "#lib/api/client/types.ts"
import type { Clip } from "#lib/domain/clips.ts"
import { client } from "../../api/client.ts"
import { invalidateRecording, queryKeys } from "../../api/query-keys.ts"
import { useDebouncedValue } from "../../search/use-library-search.ts"
import { useEditErrorHandler } from "../recording-data.ts"

const MAX_NAMES = 50

/** Returns who the speakers of a recording are, and who they may be. */
export const useClipSpeakers = (id: string) =>
  useQuery({
    queryKey: queryKeys.clipSpeakers(id),
    queryFn: ({ signal }) => client.clipSpeakers(id, { signal }),
  })

/** Returns the names of known people that contain a text. */
export const useKnownNames = (text: string): readonly string[] => {
  const q = useDebouncedValue(text.trim())
  const { data } = useQuery({
    queryKey: queryKeys.personNames(q),
    queryFn: ({ signal }) => client.people({ limit: MAX_NAMES, ...(q !== "" && { q }) }, { signal }),
    placeholderData: keepPreviousData,
  })
  return data?.people.map(({ name }) => name) ?? []
}

type SpeakerChange = { readonly speaker: string; readonly patch: ClipSpeakerPatch }

const collectNames = ({ speakers }: ClipSpeakers): Record<string, string> =>
  Object.fromEntries(speakers.flatMap(({ speaker, name }) => (name === null ? [] : [[speaker, name]])))

/** Returns a mutation that uses or declines the name of a person for a speaker. */
export const useEditClipSpeaker = (id: string) => {
  const queryClient = useQueryClient()
  const onError = useEditErrorHandler(id)
  return useMutation({
    mutationFn: ({ speaker, patch }: SpeakerChange) => client.editClipSpeaker(id, speaker, patch),
    onError,
    onSuccess: (result) => {
      queryClient.setQueryData(queryKeys.clipSpeakers(id), result)
      queryClient.setQueryData<Clip>(queryKeys.clip(id), (clip) => clip && { ...clip, speakers: collectNames(result) })
      void invalidateRecording(queryClient, id)
    },
  })
}
