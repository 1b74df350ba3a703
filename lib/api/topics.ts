import * as z from "zod"
import { jobOptions, topicSettings } from "../domain/jobs/jobs.ts"
import { topicDiff } from "../domain/topics/compare-trees.ts"
import { clipTopics, structureChange, topicNumber, topicPatch } from "../domain/topics/topic-edits.ts"
import { topicRun, topicRunEntry } from "../domain/topics/topic-runs.ts"
import { clipParams } from "./clips.ts"
import type { Endpoints } from "./endpoint.ts"
import { submittedResponse } from "./jobs.ts"

export const topicParams = clipParams.extend({
  topic: topicNumber.describe(
    "The number of the topic: `1` is the recording, `1.2` its second topic, `1.2.3` a subtopic of that",
  ),
})

const topicEditParams = clipParams.extend({ edit: z.string().min(1).describe("The ID of the edit") })

const topicRunParams = clipParams.extend({ run: z.string().min(1).describe("The ID of the topic run") })

const topicRunList = z.object({
  runs: z.array(topicRunEntry).describe("The runs, newest first. The clip shows the newest"),
})
export type TopicRunList = z.infer<typeof topicRunList>

const diffSide = z.string().min(1).max(100)

export const topicDiffQuery = z.object({
  a: diffSide.describe("The ID of the topic run on the first side, or `shown` for the current topics"),
  b: diffSide
    .default("shown")
    .describe("The ID of the topic run on the second side, or `shown` for the current topics"),
  tolerance_s: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(15)
    .describe("Boundaries that are at most this many seconds apart are the same boundary"),
})
export type TopicDiffQuery = z.infer<typeof topicDiffQuery>

export const topicPreviewQuery = z.object({
  topic_detail: jobOptions.shape.topic_detail,
  min_subdivide_duration_s: z.coerce
    .number()
    .min(0)
    .default(120)
    .describe("Topics shorter than this many seconds get no subtopics"),
})
export type TopicPreviewQuery = z.infer<typeof topicPreviewQuery>

const previewedTopic = z.object({
  title: z.string().describe("The title"),
  start_s: z.number().describe("The start in seconds"),
  end_s: z.number().describe("The end in seconds"),
})
const topicPreview = z.object({
  topics: z
    .array(previewedTopic.extend({ children: z.array(previewedTopic).describe("The subtopics, in order") }))
    .describe("The topics, in order"),
})
export type TopicPreview = z.infer<typeof topicPreview>

const topicsResponse = { name: "ClipTopics", schema: clipTopics } as const

export const topicEndpoints = {
  getTopics: {
    method: "GET",
    path: "/clips/{id}/topics",
    scope: "read",
    summary: "Returns the topics of a clip, edits included",
    call: "topics",
    needs: ["rag"],
    params: clipParams,
    response: topicsResponse,
    fieldsOf: "response",
    isVersioned: true,
  },
  previewTopics: {
    method: "GET",
    path: "/clips/{id}/topics/preview",
    scope: "read",
    summary:
      "Returns the topics that the builtin provider finds with these settings, without summaries. Stores nothing, and needs about a second for two hours of speech",
    call: "previewTopics",
    needs: ["rag"],
    params: clipParams,
    query: topicPreviewQuery,
    response: { name: "TopicPreview", schema: topicPreview },
  },
  rerunTopics: {
    method: "POST",
    path: "/clips/{id}/topics",
    scope: "write",
    summary: "Creates a job that finds the topics of a clip again from its transcript, with other settings",
    call: "rerunTopics",
    needs: ["rag", "broker"],
    params: clipParams,
    body: {
      name: "TopicSettings",
      schema: topicSettings,
      example: { provider: "ollama", llm_model: "gemma4:latest" },
    },
    status: 202,
    response: submittedResponse,
    location: "/jobs/{job_id}",
    errors: [409, 507],
  },
  editTopic: {
    method: "PATCH",
    path: "/clips/{id}/topics/{topic}",
    scope: "write",
    summary: "Updates a topic's title, summary or boundaries. Later topic runs keep the edit; null removes it",
    call: "editTopic",
    needs: ["rag"],
    params: topicParams,
    body: { name: "TopicPatch", schema: topicPatch, example: { title: "Keeping bees", start_s: 125.5 } },
    response: topicsResponse,
    errors: [507],
    isVersioned: true,
  },
  resetTopic: {
    method: "DELETE",
    path: "/clips/{id}/topics/{topic}",
    scope: "write",
    summary: "Deletes all edits of a topic, including those of its boundaries",
    call: "resetTopic",
    needs: ["rag"],
    params: topicParams,
    response: topicsResponse,
    errors: [422, 507],
    isVersioned: true,
  },
  changeTopics: {
    method: "POST",
    path: "/clips/{id}/topic-edits",
    scope: "write",
    summary: "Adds, splits, merges, deletes or moves a topic. Later topic runs keep the change",
    call: "changeTopics",
    needs: ["rag"],
    params: clipParams,
    body: {
      name: "StructureChange",
      schema: structureChange,
      example: { action: "add", at_s: 340.5, title: "Swarming" },
    },
    response: topicsResponse,
    errors: [507],
    isVersioned: true,
  },
  undoTopicEdit: {
    method: "POST",
    path: "/clips/{id}/topic-edits/undo",
    scope: "write",
    summary: "Undoes the last change of the topics of a clip. Up to 100 changes can be undone",
    call: "undoTopicEdit",
    needs: ["rag"],
    params: clipParams,
    response: topicsResponse,
    errors: [409, 507],
    isVersioned: true,
  },
  redoTopicEdit: {
    method: "POST",
    path: "/clips/{id}/topic-edits/redo",
    scope: "write",
    summary: "Makes the last undone change of the topics of a clip again",
    call: "redoTopicEdit",
    needs: ["rag"],
    params: clipParams,
    response: topicsResponse,
    errors: [409, 507],
    isVersioned: true,
  },
  removeTopicEdit: {
    method: "DELETE",
    path: "/clips/{id}/topic-edits/{edit}",
    scope: "write",
    summary: "Deletes a topic edit, even if it no longer matches a topic",
    call: "removeTopicEdit",
    needs: ["rag"],
    params: topicEditParams,
    response: topicsResponse,
    errors: [507],
    isVersioned: true,
  },
  listTopicRuns: {
    method: "GET",
    path: "/clips/{id}/runs",
    scope: "read",
    summary: "Lists the topic runs of a clip, newest first. The clip shows the newest",
    call: "topicRuns",
    needs: ["rag"],
    params: clipParams,
    response: { name: "TopicRunList", schema: topicRunList },
  },
  getTopicRun: {
    method: "GET",
    path: "/clips/{id}/runs/{run}",
    scope: "read",
    summary: "Returns a topic run with its topic tree, edits not included",
    call: "topicRun",
    needs: ["rag"],
    params: topicRunParams,
    response: { name: "TopicRun", schema: topicRun },
    fieldsOf: "response",
  },
  diffTopicRuns: {
    method: "GET",
    path: "/clips/{id}/diff",
    scope: "read",
    summary: "Compares boundaries and titles of two topic runs. `shown` means the current topics, edits included",
    call: "diffTopics",
    needs: ["rag"],
    params: clipParams,
    query: topicDiffQuery,
    response: { name: "TopicDiff", schema: topicDiff },
  },
} as const satisfies Endpoints
