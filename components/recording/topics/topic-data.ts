"use client"
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Clip } from "#lib/domain/clips.ts"
import type { ClipTopics, TopicPatch } from "#lib/domain/topics/topic-edits.ts"
import { client } from "../../api/client.ts"
import { formatClock } from "../../ui/format.ts"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { describeEditError, useEditErrorHandler } from "../recording-data.ts"
import type { Boundary } from "./boundaries.ts"
import { type EditedTopic, getUndoPatch } from "./topic-list.ts"

const storeTree = (queries: QueryClient, id: string, { tree }: ClipTopics): void => {
  queries.setQueryData<Clip>(["clip", id], (clip) => clip && { ...clip, tree })
  for (const key of [["clips"], ["map"], ["library-search"]]) void queries.invalidateQueries({ queryKey: key })
}

/**
 * Topics written over by people; what the service makes of it (boundaries are snapped to words) is what is shown. The form
 * that they come from shows what fails.
 */
export const useTopicEdits = (id: string) => {
  const queries = useQueryClient()
  const take = async (act: Promise<ClipTopics>) => storeTree(queries, id, await act)
  const onError = useEditErrorHandler(id)
  const put = (topic: string, patch: TopicPatch) => take(client.editTopic(id, topic, patch))
  /** `back`: what to write so that it is again as it was. */
  const tell = (said: string, topic: string, back: TopicPatch) =>
    notify(said, () => void put(topic, back).catch((error) => notifyError(describeEditError(error, id))))
  const reset = useMutation({
    mutationFn: ({ number }: EditedTopic) => take(client.resetTopic(id, number)),
    onSuccess: (_done, { number, node }) => {
      if (node.original) tell("The topic is as the run had it", number, getUndoPatch(node, node.original))
    },
    onError,
  })
  const edit = useMutation({
    mutationFn: ({ number, patch }: EditedTopic & { patch: TopicPatch }) => put(number, patch),
    onSuccess: (_done, { number, node, patch }) =>
      tell("Topic changed. Later runs leave it so", number, getUndoPatch(node, patch)),
    onError,
  })
  return { edit, reset }
}

/** A boundary put elsewhere, with a way back to where it was. Seconds. */
export const useMoveBoundary = (id: string) => {
  const queries = useQueryClient()
  const failed = useEditErrorHandler(id)
  const put = async (topic: string, start_s: number | null) =>
    storeTree(queries, id, await client.editTopic(id, topic, { start_s }))
  return useMutation({
    mutationFn: ({ boundary, to }: { boundary: Boundary; to: number }) => put(boundary.topic.number, to),
    onSuccess: (_done, { boundary: { time_s, topic }, to }) => {
      // Where the run had it, nothing is left to be kept of it.
      const back = topic.node.original?.start_s === undefined ? null : time_s
      notify(`The boundary is at ${formatClock(to)} now. Later runs leave it there`, () =>
        put(topic.number, back).catch((error) => notifyError(describeEditError(error, id))),
      )
    },
    onError: (error) => {
      failed(error)
      notifyError(describeEditError(error, id))
    },
  })
}

export const useTopicRuns = (id: string, enabled: boolean) =>
  useQuery({ queryKey: ["topic-runs", id], queryFn: ({ signal }) => client.topicRuns(id, { signal }), enabled })

export const useTopicRun = (id: string, run: string | undefined) =>
  useQuery({
    queryKey: ["topic-run", id, run],
    queryFn: ({ signal }) => client.topicRun(id, run ?? "", { signal }),
    enabled: run !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
