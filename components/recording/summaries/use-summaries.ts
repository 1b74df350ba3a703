"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ClipSummary, SummaryRequest } from "#lib/api/client/types.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { notifyError } from "../../ui/toast-queue.ts"

const POLL_MS = 700

export const isBeingMade = ({ state }: ClipSummary): boolean => state === "queued" || state === "running"

export const useTemplates = () =>
  useQuery({ queryKey: queryKeys.templates, queryFn: ({ signal }) => client.templates({ signal }) })

/** Returns the summaries of a recording, and reads them again while one is being made. */
export const useSummaries = (clipId: string) =>
  useQuery({
    queryKey: queryKeys.summaries(clipId),
    queryFn: ({ signal }) => client.summaries(clipId, { signal }),
    refetchInterval: ({ state }) => (state.data?.summaries.some(isBeingMade) ? POLL_MS : false),
  })

/** Returns mutations that make and delete summaries of a recording. */
export const useSummaryActions = (clipId: string) => {
  const queryClient = useQueryClient()
  const options = {
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.summaries(clipId) }),
    onError: (error: unknown) => notifyError(errorMessage(error)),
  }
  const make = useMutation({ mutationFn: (request: SummaryRequest) => client.summarize(clipId, request), ...options })
  const remove = useMutation({ mutationFn: (template: string) => client.deleteSummary(clipId, template), ...options })
  return { make, remove }
}
