"use client"
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Clip } from "#lib/domain/clips.ts"
import type { ClipTopics, StructureChange, TopicPatch } from "#lib/domain/topics/topic-edits.ts"
import { client } from "../../api/client.ts"
import { invalidateLibrary, queryKeys } from "../../api/query-keys.ts"
import { formatClock } from "../../ui/format.ts"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { describeEditError, useEditErrorHandler } from "../recording-data.ts"
import type { Boundary } from "./boundaries.ts"
import type { EditedTopic } from "./topic-list.ts"
import { renameTopic } from "./topic-renaming.ts"

type History = Pick<ClipTopics, "can_undo" | "can_redo">

/** Returns the ETag of a clip with the version of its topics from the ETag of the topics. */
export const withTopicVersion = (clipEtag: string | undefined, topicsEtag: string | undefined): string | undefined => {
  const version = /[-.](t\d+)[."]/.exec(topicsEtag ?? "")?.[1]
  return version === undefined ? undefined : clipEtag?.replace(/(?<=[-.])t\d+(?=[."])/, version)
}

const storeTopics = (queryClient: QueryClient, id: string, { tree, etag, can_undo, can_redo }: ClipTopics): void => {
  queryClient.setQueryData<Clip>(
    queryKeys.clip(id),
    (clip) => clip && { ...clip, tree, etag: withTopicVersion(clip.etag, etag) },
  )
  queryClient.setQueryData<History>(queryKeys.topicHistory(id), { can_undo, can_redo })
  void invalidateLibrary(queryClient)
}

/** Returns whether there are changes of topics to undo or to make again. */
export const useTopicHistory = (id: string) =>
  useQuery({
    queryKey: queryKeys.topicHistory(id),
    queryFn: async ({ signal }): Promise<History> => client.topics(id, { signal, fields: ["can_undo", "can_redo"] }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Returns a function that sends an edit which fails if somebody else has changed the topics, and shows its result. */
const useTopicRequest = (id: string) => {
  const queryClient = useQueryClient()
  return async (send: (options: { ifMatch?: string }) => Promise<ClipTopics>): Promise<ClipTopics> => {
    const etag = queryClient.getQueryData<Clip>(queryKeys.clip(id))?.etag
    const topics = await send(etag === undefined ? {} : { ifMatch: etag })
    storeTopics(queryClient, id, topics)
    return topics
  }
}

/** Returns a function that undoes the last change, unless somebody has made another one since. */
const useUndo = (id: string) => {
  const request = useTopicRequest(id)
  const handleError = useEditErrorHandler(id)
  return () =>
    void request((options) => client.undoTopicEdit(id, options)).catch((error) => {
      handleError(error)
      notifyError(describeEditError(error, id))
    })
}

/**
 * Returns mutations that edit and revert topics. The service snaps boundaries to words, so the page shows its response. The
 * calling form shows errors.
 */
export const useTopicEdits = (id: string) => {
  const request = useTopicRequest(id)
  const onError = useEditErrorHandler(id)
  const undo = useUndo(id)
  const reset = useMutation({
    mutationFn: ({ number }: EditedTopic) => request((options) => client.resetTopic(id, number, options)),
    onSuccess: () => notify("Topic reverted", undo),
    onError,
  })
  const edit = useMutation({
    mutationFn: ({ number, patch }: EditedTopic & { patch: TopicPatch }) =>
      request((options) => client.editTopic(id, number, patch, options)),
    onSuccess: () => notify("Topic saved. Later runs keep your edit.", undo),
    onError,
  })
  return { edit, reset }
}

/** Returns a mutation that moves a boundary and offers to undo it. */
export const useMoveBoundary = (id: string) => {
  const request = useTopicRequest(id)
  const handleError = useEditErrorHandler(id)
  const undo = useUndo(id)
  return useMutation({
    mutationFn: ({ boundary, to }: { boundary: Boundary; to: number }) =>
      request((options) => client.editTopic(id, boundary.topic.number, { start_s: to }, options)),
    onSuccess: (_done, { to }) => notify(`Boundary moved to ${formatClock(to)}. Later runs keep it there.`, undo),
    onError: (error) => {
      handleError(error)
      notifyError(describeEditError(error, id))
    },
  })
}

type TopicChange = StructureChange | { readonly action: "undo" } | { readonly action: "redo" }

const CONFIRMATIONS: Readonly<Record<TopicChange["action"], string>> = {
  add: "Topic added",
  split: "Topic split",
  merge: "Topics merged",
  delete: "Topic deleted",
  move: "Topic moved",
  undo: "Change undone",
  redo: "Change made again",
}

/** Returns a mutation that changes which topics there are. A new topic is renamed next. */
export const useTopicChange = (id: string) => {
  const request = useTopicRequest(id)
  const handleError = useEditErrorHandler(id)
  const undo = useUndo(id)
  return useMutation({
    mutationFn: (change: TopicChange) =>
      request((options) => {
        switch (change.action) {
          case "undo":
            return client.undoTopicEdit(id, options)
          case "redo":
            return client.redoTopicEdit(id, options)
          default:
            return client.changeTopics(id, change, options)
        }
      }),
    onSuccess: ({ edits }, { action }) => {
      notify(CONFIRMATIONS[action], action === "undo" || action === "redo" ? undefined : undo)
      const added = action === "add" || action === "split" ? edits.findLast((edit) => edit.kind === "structure") : null
      if (added?.topic) renameTopic(added.topic)
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
