import { Readable } from "node:stream"
import type { z } from "zod"
import type { CompleteCalls } from "../api/client/client.ts"
import { queryRequest } from "../api/documents.ts"
import { feedQuery } from "../api/feeds.ts"
import { jobQuery } from "../api/jobs.ts"
import { topicParams } from "../api/topics.ts"
import { clipPatch, clipsQuery } from "../domain/clips.ts"
import { newId } from "../domain/ids.ts"
import { audioJobRequest, jobsQuery, topicSettings } from "../domain/jobs/jobs.ts"
import { notePatch, noteRequest, notesQuery } from "../domain/notes.ts"
import { parseInput } from "../domain/parse-input.ts"
import { clipSpeakerPatch, peopleQuery, personMerge, personPatch, personSplit } from "../domain/people/people.ts"
import { previewRequest, replacementRequest } from "../domain/replacements.ts"
import { pageQuery } from "../domain/schemas.ts"
import { searchQuery } from "../domain/search.ts"
import { shareRequest } from "../domain/shares.ts"
import { summaryRequest } from "../domain/summaries.ts"
import { templatePatch, templateRequest } from "../domain/summary-templates.ts"
import { labelRequest } from "../domain/tags.ts"
import { threadRequest, threadsQuery } from "../domain/threads.ts"
import { apiTokenRequest } from "../domain/tokens.ts"
import { structureChange, topicPatch } from "../domain/topics/topic-edits.ts"
import { vocabularyEntry, vocabularyPatch } from "../domain/vocabulary.ts"
import { deliveriesQuery, webhookPatch, webhookRequest } from "../domain/webhooks.ts"
import { deleteClip, editClip, getClip } from "./clips/clips.ts"
import { labelClips, listTags } from "./clips/labels.ts"
import { listClips } from "./clips/list-clips.ts"
import type { Deps } from "./deps.ts"
import { exportClip, exportClipText } from "./export/export-clip.ts"
import { listFeed } from "./feeds/list-feed.ts"
import { describeInstallation } from "./installation/describe-installation.ts"
import { waitForJob } from "./jobs/job-events.ts"
import { cancelJob, listJobs, retryJob } from "./jobs/jobs.ts"
import { submitJob } from "./jobs/submit-job.ts"
import { createNote, deleteNote, editNote, listNotes } from "./notes/notes.ts"
import { editClipSpeaker, listClipSpeakers } from "./people/clip-speakers.ts"
import {
  deletePerson,
  getPerson,
  listPeople,
  listPersonClips,
  mergePeople,
  renamePerson,
  searchPersonWords,
  splitPerson,
} from "./people/people.ts"
import { listReplacements, previewReplacement, replaceHits, undoReplacement } from "./replacements/replacements.ts"
import { query } from "./search/query.ts"
import { searchLibrary } from "./search/search-library.ts"
import { createShare, listShares, revokeShare } from "./shares/shares.ts"
import { deleteSummary, getSummary, listSummaries, makeSummaryNow } from "./summaries/summaries.ts"
import { createTemplate, deleteTemplate, editTemplate, listTemplates } from "./summaries/templates.ts"
import { createThread, deleteThread, getThread, listThreads } from "./threads/threads.ts"
import { createToken, listTokens, revokeToken } from "./tokens/tokens.ts"
import {
  changeTopics,
  editTopic,
  getTopics,
  removeTopicEdit,
  resetTopic,
  stepTopicEdits,
} from "./topics/topic-edits.ts"
import { listTopicRuns, rerunTopics } from "./topics/topic-runs.ts"
import {
  addVocabularyEntry,
  deleteVocabularyEntry,
  listVocabulary,
  suggestVocabulary,
  updateVocabularyEntry,
} from "./vocabulary/vocabulary.ts"
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  updateWebhook,
} from "./webhooks/webhooks.ts"

/** The calls of the HTTP API that the MCP server and the command line make: to a remote service, or in this process. */
export type Api = Pick<
  CompleteCalls,
  | "addVocabulary"
  | "cancel"
  | "changeTopics"
  | "clip"
  | "clips"
  | "createNote"
  | "createTemplate"
  | "createThread"
  | "createToken"
  | "createWebhook"
  | "deleteClip"
  | "deleteNote"
  | "deleteVocabulary"
  | "deleteSummary"
  | "deleteTemplate"
  | "deleteThread"
  | "deleteWebhook"
  | "deliveries"
  | "editClip"
  | "editNote"
  | "clipSpeakers"
  | "deletePerson"
  | "editClipSpeaker"
  | "editTemplate"
  | "editTopic"
  | "createShare"
  | "exportClip"
  | "exportFile"
  | "feed"
  | "installation"
  | "job"
  | "jobs"
  | "labelClips"
  | "notes"
  | "mergePeople"
  | "people"
  | "person"
  | "personClips"
  | "personWords"
  | "query"
  | "redeliver"
  | "redoTopicEdit"
  | "removeTopicEdit"
  | "renamePerson"
  | "previewReplacement"
  | "replace"
  | "replacements"
  | "rerunTopics"
  | "resetTopic"
  | "retry"
  | "revokeShare"
  | "revokeToken"
  | "search"
  | "shares"
  | "splitPerson"
  | "submit"
  | "summaries"
  | "summarize"
  | "summary"
  | "tags"
  | "templates"
  | "thread"
  | "threads"
  | "tokens"
  | "topicRuns"
  | "topics"
  | "undoReplacement"
  | "undoTopicEdit"
  | "updateVocabulary"
  | "updateWebhook"
  | "vocabulary"
  | "vocabularySuggestions"
  | "webhooks"
>

const signalOf = (options: { readonly signal?: AbortSignal } | undefined): AbortSignal =>
  options?.signal ?? new AbortController().signal

/** Parses what a caller gives as it would arrive in a request: a field that is undefined is missing. */
const parse = <T>(schema: z.ZodType<T>, given: object | undefined): T =>
  parseInput(
    schema,
    Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)),
    "input",
  )

/** Returns the API of this process, which calls the services without HTTP. Its methods throw AppError. */
export const createLocalApi = (deps: Deps): Api => ({
  addVocabulary: async (entry) => addVocabularyEntry(deps, parse(vocabularyEntry, entry)),
  cancel: (job_id) => cancelJob(deps, { job_id }),
  changeTopics: async (id, change) => changeTopics(deps, { id }, parse(structureChange, change)),
  clip: (id) => getClip(deps, { id }),
  clips: async (given) => listClips(deps, parse(clipsQuery, given)),
  createNote: async (given) => createNote(deps, parse(noteRequest, given)),
  createTemplate: async (given) => createTemplate(deps, parse(templateRequest, given)),
  createThread: async (given) => createThread(deps, parse(threadRequest, given), newId()),
  createToken: async (given) => createToken(deps, parse(apiTokenRequest, given)),
  createWebhook: async (given) => createWebhook(deps, parse(webhookRequest, given)),
  deleteClip: (id) => deleteClip(deps, { id }),
  deleteNote: (id) => deleteNote(deps, { id }),
  deleteVocabulary: (id) => deleteVocabularyEntry(deps, { id }),
  deleteSummary: (id, template_id) => deleteSummary(deps, { id, template_id }),
  deleteTemplate: (id) => deleteTemplate(deps, { id }),
  deleteThread: (id) => deleteThread(deps, { id }),
  deleteWebhook: (id) => deleteWebhook(deps, { id }),
  deliveries: async (id, given) => listDeliveries(deps, { id }, parse(deliveriesQuery, given)),
  editClip: async (id, patch) => editClip(deps, { id }, parse(clipPatch, patch)),
  editNote: async (id, patch) => editNote(deps, { id }, parse(notePatch, patch)),
  clipSpeakers: (id) => listClipSpeakers(deps, { id }),
  deletePerson: (id) => deletePerson(deps, { id }),
  editClipSpeaker: async (id, speaker, patch) => editClipSpeaker(deps, { id, speaker }, parse(clipSpeakerPatch, patch)),
  editTemplate: async (id, patch) => editTemplate(deps, { id }, parse(templatePatch, patch)),
  editTopic: async (id, topic, patch) => editTopic(deps, parse(topicParams, { id, topic }), parse(topicPatch, patch)),
  createShare: async (id, given) => createShare(deps, { id }, parse(shareRequest, given)),
  exportClip: (id, format) => exportClipText(deps, { id }, format),
  exportFile: async (id, format, options = {}) => {
    const { withAudio, withNotes, withSummaries } = options
    const wanted = { with_audio: withAudio, with_notes: withNotes, with_summaries: withSummaries }
    const request = { format, ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) }
    const { content } = await exportClip(deps, { id }, request, signalOf(options))
    if (content instanceof Readable) return Buffer.concat((await content.toArray()).map((part) => Buffer.from(part)))
    return typeof content === "string" ? Buffer.from(content) : content
  },
  feed: async (given, options) => listFeed(deps, parse(feedQuery, given), signalOf(options)),
  installation: () => describeInstallation(deps),
  job: async (job_id, options) =>
    waitForJob(deps, { job_id, ...parse(jobQuery, { wait: options?.wait }) }, signalOf(options)),
  jobs: async (given) => listJobs(deps, parse(jobsQuery, given)),
  labelClips: async (given) => labelClips(deps, parse(labelRequest, given)),
  notes: async (given) => listNotes(deps, parse(notesQuery, given)),
  mergePeople: async (id, given) => mergePeople(deps, { id }, parse(personMerge, given)),
  people: async (given) => listPeople(deps, parse(peopleQuery, given)),
  person: (id) => getPerson(deps, { id }),
  personClips: async (id, given) => listPersonClips(deps, { id }, parse(pageQuery, given)),
  personWords: async (id, given) => searchPersonWords(deps, { id }, parse(searchQuery, given)),
  query: async (given, options) => query(deps, parse(queryRequest, given), signalOf(options)),
  redeliver: (id, delivery_id) => redeliver(deps, { id, delivery_id }),
  redoTopicEdit: (id) => stepTopicEdits(deps, { id }, "redo"),
  removeTopicEdit: (id, edit) => removeTopicEdit(deps, { id, edit }),
  renamePerson: async (id, given) => renamePerson(deps, { id }, parse(personPatch, given)),
  previewReplacement: async (given) => previewReplacement(deps, parse(previewRequest, given)),
  replace: async (given) => replaceHits(deps, parse(replacementRequest, given)),
  replacements: () => listReplacements(deps),
  rerunTopics: async (id, given) => rerunTopics(deps, { id }, parse(topicSettings, given)),
  resetTopic: async (id, topic) => resetTopic(deps, parse(topicParams, { id, topic })),
  retry: (job_id) => retryJob(deps, { job_id }),
  revokeShare: (id) => revokeShare(deps, { id }),
  revokeToken: (id) => revokeToken(deps, { id }),
  search: async (given) => searchLibrary(deps, parse(searchQuery, given)),
  shares: async (given) => listShares(deps, given ?? {}),
  splitPerson: async (id, given) => splitPerson(deps, { id }, parse(personSplit, given)),
  submit: async (given) =>
    submitJob(deps, { request: parse(audioJobRequest, given), isLanguageGiven: given.language !== undefined }),
  summaries: (id) => listSummaries(deps, { id }),
  // No worker need be running beside this process.
  summarize: async (id, given, options) =>
    makeSummaryNow(deps, { id }, parse(summaryRequest, given), signalOf(options)),
  summary: (id, template_id) => getSummary(deps, { id, template_id }),
  tags: () => listTags(deps),
  templates: () => listTemplates(deps),
  thread: (id) => getThread(deps, { id }),
  threads: async (given) => listThreads(deps, parse(threadsQuery, given)),
  tokens: () => listTokens(deps),
  topicRuns: (id) => listTopicRuns(deps, { id }),
  topics: (id) => getTopics(deps, { id }),
  undoReplacement: (id) => undoReplacement(deps, { id }),
  undoTopicEdit: (id) => stepTopicEdits(deps, { id }, "undo"),
  updateVocabulary: async (id, patch) => updateVocabularyEntry(deps, { id }, parse(vocabularyPatch, patch)),
  updateWebhook: async (id, patch) => updateWebhook(deps, { id }, parse(webhookPatch, patch)),
  vocabulary: () => listVocabulary(deps),
  vocabularySuggestions: () => suggestVocabulary(deps),
  webhooks: async (given) => listWebhooks(deps, given ?? {}),
})
