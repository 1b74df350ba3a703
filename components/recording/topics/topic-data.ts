"use client"
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Clip } from "#lib/domain/clips.ts"
import type { ClipTopics, TopicPatch } from "#lib/domain/topics/topic-edits.ts"
import { client } from "../../api/client.ts"
import { invalidateLibrary, queryKeys } from "../../api/query-keys.ts"
import { formatClock } from "../../ui/format.ts"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { describeEditError, useEditErrorHandler } from "../recording-data.ts"
import type { Boundary } from "./boundaries.ts"
import { type EditedTopic, getUndoPatch } from "./topic-list.ts"

const storeTree = (queryClient: QueryClient, id: string, { tree }: ClipTopics): void => {
  queryClient.setQueryData<Clip>(queryKeys.clip(id), (clip) => clip && { ...clip, tree })
  void invalidateLibrary(queryClient)
}

/**
 * Returns mutations that edit and revert topics. The service snaps boundaries to words, so the page shows its response. The
 * calling form shows errors.
 */
export const useTopicEdits = (id: string) => {
  const queryClient = useQueryClient()
  const take = async (act: Promise<ClipTopics>) => storeTree(queryClient, id, await act)
  const onError = useEditErrorHandler(id)
  const put = (topic: string, patch: TopicPatch) => take(client.editTopic(id, topic, patch))
  /** Shows a confirmation. Undo applies `undoPatch`. */
  const confirm = (said: string, topic: string, undoPatch: TopicPatch) =>
    notify(said, () => void put(topic, undoPatch).catch((error) => notifyError(describeEditError(error, id))))
  const reset = useMutation({
    mutationFn: ({ number }: EditedTopic) => take(client.resetTopic(id, number)),
    onSuccess: (_done, { number, node }) => {
      if (node.original) confirm("Topic reverted", number, getUndoPatch(node, node.original))
    },
    onError,
  })
  const edit = useMutation({
    mutationFn: ({ number, patch }: EditedTopic & { patch: TopicPatch }) => put(number, patch),
    onSuccess: (_done, { number, node, patch }) =>
      confirm("Topic saved. Later runs keep your edit.", number, getUndoPatch(node, patch)),
    onError,
  })
  return { edit, reset }
}

/** Returns a mutation that moves a boundary and offers to undo it. */
export const useMoveBoundary = (id: string) => {
  const queryClient = useQueryClient()
  const handleError = useEditErrorHandler(id)
  const put = async (topic: string, start_s: number | null) =>
    storeTree(queryClient, id, await client.editTopic(id, topic, { start_s }))
  return useMutation({
    mutationFn: ({ boundary, to }: { boundary: Boundary; to: number }) => put(boundary.topic.number, to),
    onSuccess: (_done, { boundary: { time_s, topic }, to }) => {
      // Undoing the first move removes the edit, which restores the time of the run.
      const previous = topic.node.original?.start_s === undefined ? null : time_s
      notify(`Boundary moved to ${formatClock(to)}. Later runs keep it there.`, () =>
        put(topic.number, previous).catch((error) => notifyError(describeEditError(error, id))),
      )
    },
    onError: (error) => {
      handleError(error)
      notifyError(describeEditError(error, id))
    },
  })
}

export const useTopicRuns = (id: string, enabled: boolean) =>
  useQuery({ queryKey: queryKeys.topicRuns(id), queryFn: ({ signal }) => client.topicRuns(id, { signal }), enabled })

export const useTopicRun = (id: string, run: string | undefined) =>
  useQuery({
    queryKey: queryKeys.topicRun(id, run),
    queryFn: ({ signal }) => client.topicRun(id, run ?? "", { signal }),
    enabled: run !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
