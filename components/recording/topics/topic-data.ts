"use client"
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Clip } from "#lib/domain/clips.ts"
import type { ClipTopics, TopicPatch } from "#lib/domain/topics/topic-edits.ts"
import { client } from "../../api.ts"
import { clock } from "../../ui/format.ts"
import { complain, notify } from "../../ui/messages.ts"
import { problem, useFailed } from "../data.ts"
import type { Border } from "./boundaries.ts"
import { backFrom, type EditedTopic } from "./topics.ts"

const takeTree = (queries: QueryClient, id: string, { tree }: ClipTopics): void => {
  queries.setQueryData<Clip>(["clip", id], (clip) => clip && { ...clip, tree })
  for (const key of [["clips"], ["map"], ["library-search"]]) void queries.invalidateQueries({ queryKey: key })
}

/**
 * Topics written over by people; what the service makes of it (borders are snapped to words) is what is shown. The form
 * that they come from shows what fails.
 */
export const useTopicEdits = (id: string) => {
  const queries = useQueryClient()
  const take = async (act: Promise<ClipTopics>) => takeTree(queries, id, await act)
  const onError = useFailed(id)
  const put = (topic: string, patch: TopicPatch) => take(client.editTopic(id, topic, patch))
  /** `back`: what to write so that it is again as it was. */
  const tell = (said: string, topic: string, back: TopicPatch) =>
    notify(said, () => void put(topic, back).catch((error) => complain(problem(error, id))))
  const reset = useMutation({
    mutationFn: ({ number }: EditedTopic) => take(client.resetTopic(id, number)),
    onSuccess: (_done, { number, node }) => {
      if (node.original) tell("The topic is as the run had it", number, backFrom(node, node.original))
    },
    onError,
  })
  const edit = useMutation({
    mutationFn: ({ number, patch }: EditedTopic & { patch: TopicPatch }) => put(number, patch),
    onSuccess: (_done, { number, node, patch }) =>
      tell("Topic changed. Later runs leave it so", number, backFrom(node, patch)),
    onError,
  })
  return { edit, reset }
}

/** A border put elsewhere, with a way back to where it was. Seconds. */
export const useMoveBorder = (id: string) => {
  const queries = useQueryClient()
  const failed = useFailed(id)
  const put = async (topic: string, start_s: number | null) =>
    takeTree(queries, id, await client.editTopic(id, topic, { start_s }))
  return useMutation({
    mutationFn: ({ border, to }: { border: Border; to: number }) => put(border.topic.number, to),
    onSuccess: (_done, { border: { at, topic }, to }) => {
      // Where the run had it, nothing is left to be kept of it.
      const back = topic.node.original?.start_s === undefined ? null : at
      notify(`The border is at ${clock(to)} now. Later runs leave it there`, () =>
        put(topic.number, back).catch((error) => complain(problem(error, id))),
      )
    },
    onError: (error) => {
      failed(error)
      complain(problem(error, id))
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
