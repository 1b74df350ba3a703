"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Clip } from "#lib/contracts/clips.ts"
import type { TopicPatch } from "#lib/contracts/topic-edits.ts"
import { client, sentence } from "../api.ts"
import { complain, notify } from "../ui/messages.ts"

/** Topics written over by people; what the service makes of it (borders are snapped to words) is what is shown. */
export const useTopicEdits = (id: string) => {
  const queries = useQueryClient()
  const take = async (act: Promise<{ tree: Clip["tree"] }>) => {
    const { tree } = await act
    queries.setQueryData<Clip>(["clip", id], (clip) => clip && { ...clip, tree })
    for (const key of [["clips"], ["map"], ["library-search"]]) void queries.invalidateQueries({ queryKey: key })
  }
  const onError = (error: unknown) => complain(sentence(error))
  const reset = useMutation({ mutationFn: (topic: string) => take(client.resetTopic(id, topic)), onError })
  const edit = useMutation({
    mutationFn: ({ topic, patch }: { topic: string; patch: TopicPatch }) => take(client.editTopic(id, topic, patch)),
    onSuccess: () => notify("Topic changed. Later runs leave it so"),
    onError,
  })
  return { edit, reset }
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
