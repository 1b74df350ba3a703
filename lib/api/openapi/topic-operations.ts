import { clipParams } from "../../domain/clips.ts"
import { submitted, topicSettings, transcriptionSettings } from "../../domain/jobs/jobs.ts"
import { topicDiff, topicDiffQuery } from "../../domain/topics/diff-schema.ts"
import { clipTopics, editParams, topicParams, topicPatch } from "../../domain/topics/topic-edits.ts"
import { runParams, topicRun, topicRunList } from "../../domain/topics/topic-runs.ts"
import type { Operations } from "./operations.ts"

const topics = { name: "ClipTopics", schema: clipTopics }

/** What is done with the topics of a clip: looking, writing over them, making them anew (from new words too), comparing. */
export const TOPIC_OPERATIONS: Operations = {
  "/clips/{id}/topics": {
    get: {
      id: "getTopics",
      summary: "The topics of a clip as people see them, with their edits",
      tag: "clips",
      params: clipParams,
      response: topics,
      errors: [404, 503],
    },
    post: {
      id: "rerunTopics",
      summary: "Makes the topics of a clip anew from its transcript, with other settings; a job as any other",
      tag: "clips",
      params: clipParams,
      body: topicSettings,
      named: { name: "TopicSettings", example: { provider: "ollama", llm_model: "gemma4:latest" } },
      status: 202,
      response: { name: "Submitted", schema: submitted },
      errors: [400, 404, 409, 413, 415, 422, 503, 507],
    },
  },
  "/clips/{id}/transcript": {
    post: {
      id: "hearAgain",
      summary: "Has a clip's recording heard once more, by another engine or model, and its topics made anew",
      tag: "clips",
      params: clipParams,
      body: transcriptionSettings,
      named: { name: "HearingSettings", example: { speech_engine: "sherpa", speakers: 2 } },
      status: 202,
      response: { name: "Submitted", schema: submitted },
      errors: [400, 403, 404, 409, 413, 415, 422, 503, 507],
    },
  },
  "/clips/{id}/topics/{topic}": {
    patch: {
      id: "editTopic",
      summary: "Writes over title, summary or borders of a topic; later runs leave it alone, null takes it back",
      tag: "clips",
      params: topicParams,
      body: topicPatch,
      named: { name: "TopicPatch", example: { title: "Keeping bees", start_s: 125.5 } },
      response: topics,
      errors: [400, 404, 413, 415, 422, 503, 507],
    },
    delete: {
      id: "resetTopic",
      summary: "Takes back all edits of a topic, those of its borders included",
      tag: "clips",
      params: topicParams,
      response: topics,
      errors: [404, 422, 503, 507],
    },
  },
  "/clips/{id}/topic-edits/{edit}": {
    delete: {
      id: "removeTopicEdit",
      summary: "Takes back one edit, also one that no longer finds its topic",
      tag: "clips",
      params: editParams,
      response: topics,
      errors: [404, 503, 507],
    },
  },
  "/clips/{id}/runs": {
    get: {
      id: "listTopicRuns",
      summary: "The runs that made topics of a clip, newest first; the newest is what it shows",
      tag: "clips",
      params: clipParams,
      response: { name: "TopicRunList", schema: topicRunList },
      errors: [404, 503],
    },
  },
  "/clips/{id}/runs/{run}": {
    get: {
      id: "getTopicRun",
      summary: "A run with the tree that it made",
      tag: "clips",
      params: runParams,
      response: { name: "TopicRun", schema: topicRun },
      errors: [404, 503],
    },
  },
  "/clips/{id}/diff": {
    get: {
      id: "diffTopicRuns",
      summary: "What became of borders and titles from one run to another; `shown` is what people see",
      tag: "clips",
      params: clipParams,
      query: topicDiffQuery,
      response: { name: "TopicDiff", schema: topicDiff },
      errors: [404, 422, 503],
    },
  },
}
