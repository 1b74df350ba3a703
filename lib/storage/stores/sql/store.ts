import type { OutboxStore } from "../ports/outbox.ts"
import type { Store } from "../ports/store.ts"
import * as clips from "./clips/clips.ts"
import { deleteClip } from "./clips/delete-clip.ts"
import * as labels from "./clips/labels.ts"
import * as transcripts from "./clips/transcripts.ts"
import * as versions from "./clips/versions.ts"
import * as waveforms from "./clips/waveforms.ts"
import type { SqlDatabase } from "./database.ts"
import * as idempotency from "./idempotency.ts"
import * as installation from "./installation.ts"
import * as jobs from "./jobs/jobs.ts"
import * as library from "./library.ts"
import * as map from "./map/map.ts"
import * as regionNames from "./map/region-names.ts"
import * as speech from "./map/speech.ts"
import * as vectors from "./map/vectors.ts"
import * as notes from "./notes.ts"
import * as outbox from "./outbox.ts"
import * as people from "./people/people.ts"
import * as speakers from "./people/speakers.ts"
import * as replacements from "./replacements.ts"
import * as gpu from "./resources/gpu.ts"
import * as models from "./resources/models.ts"
import * as resumableUploads from "./resumable-uploads.ts"
import * as retention from "./retention.ts"
import * as savedViews from "./saved-views.ts"
import * as shares from "./shares.ts"
import * as claims from "./stages/claims.ts"
import * as liveWords from "./stages/live-words.ts"
import * as stageResults from "./stages/stage-results.ts"
import { sweep } from "./stages/sweep.ts"
import { constant, get } from "./statements.ts"
import * as summaries from "./summaries/summaries.ts"
import * as templates from "./summaries/templates.ts"
import * as threads from "./threads.ts"
import * as tokens from "./tokens.ts"
import * as topicRuns from "./topics/topic-runs.ts"
import * as topics from "./topics/topics.ts"
import { listUploadAddresses } from "./uploads.ts"
import * as vocabulary from "./vocabulary.ts"
import * as deliveries from "./webhooks/deliveries.ts"
import * as webhooks from "./webhooks/webhooks.ts"

/** Creates the ports that are implemented alike on every database. */
export const createSqlStore = (
  database: SqlDatabase,
  watch: OutboxStore["watch"],
): Omit<Store, "kind" | "degradedReason" | "documents" | "close"> => {
  const on =
    <A extends unknown[], R>(operation: (database: SqlDatabase, ...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      operation(database, ...args)
  return {
    jobs: {
      submit: on(jobs.submitJob),
      get: on(jobs.getJob),
      list: on(jobs.listJobs),
      countByStatus: on(jobs.countJobs),
      cancel: on(jobs.cancelJob),
      retry: on(jobs.retryJob),
    },
    stages: {
      claim: on(claims.claimStage),
      renewLease: on(claims.renewLease),
      reportProgress: on(claims.reportProgress),
      addLiveWords: on(liveWords.addLiveWords),
      listLiveWords: on(liveWords.listLiveWords),
      complete: on(stageResults.completeStage),
      fail: on(stageResults.failStage),
      sweep: on(sweep),
      getQueuedSince: on(claims.getQueuedSince),
    },
    outbox: {
      listDue: on(outbox.listDueMessages),
      getDueSince: on(outbox.getDueSince),
      markPublished: on(outbox.markPublished),
      watch,
      acquireLease: on(outbox.acquireLease),
      releaseLease: on(outbox.releaseLease),
    },
    resources: {
      acquireGpu: on(gpu.acquireGpu),
      releaseGpu: on(gpu.releaseGpu),
      holdModel: on(models.holdModel),
      claimEvictableModels: on(models.claimEvictableModels),
    },
    clips: {
      get: on(clips.getClip),
      getVersion: on(versions.getVersion),
      getTitle: on(clips.getClipTitle),
      list: on(clips.listClips),
      listTags: on(labels.listTags),
      countFacets: on(labels.countFacets),
      update: on(clips.updateClip),
      attachRecording: on(clips.attachRecording),
      updateLabels: on(clips.updateLabels),
      delete: on(deleteClip),
      saveTranscript: on(transcripts.saveTranscript),
      listWordEdits: on(transcripts.listWordEdits),
      editWords: on(transcripts.editWords),
      removeWordEdit: on(transcripts.removeWordEdit),
      getWaveform: on(waveforms.getWaveform),
      saveWaveform: on(waveforms.saveWaveform),
    },
    resumableUploads: {
      create: on(resumableUploads.createUpload),
      get: on(resumableUploads.getUpload),
      addPart: on(resumableUploads.addUploadPart),
      listParts: on(resumableUploads.listUploadParts),
      finish: on(resumableUploads.finishUpload),
      remove: on(resumableUploads.removeUpload),
      removeExpired: on(resumableUploads.removeExpiredUploads),
    },
    uploads: { listAddresses: on(listUploadAddresses) },
    topics: {
      get: on(topics.getTopics),
      save: on(topics.saveTopics),
      edit: on(topics.editTopic),
      change: on(topics.changeTopics),
      reset: on(topics.resetTopic),
      step: on(topics.stepTopicEdits),
      removeEdit: on(topics.removeTopicEdit),
      listRuns: on(topicRuns.listTopicRuns),
      getRun: on(topicRuns.getTopicRun),
    },
    people: {
      list: on(people.listPeople),
      get: on(people.getPerson),
      rename: on(people.renamePerson),
      delete: on(people.deletePerson),
      merge: on(people.mergePeople),
      split: on(people.splitPerson),
      listClips: on(people.listPersonClips),
      searchWords: on(people.searchPersonWords),
      getClipPeople: on(speakers.getClipPeople),
      editSpeaker: on(speakers.editSpeaker),
      listEmbedders: on(speakers.listEmbedders),
      listPersonEmbeddings: on(speakers.listPersonEmbeddings),
      listUnnamedEmbeddings: on(speakers.listUnnamedEmbeddings),
      deleteEmbeddings: on(speakers.deleteEmbeddings),
    },
    library: {
      prepare: on(library.prepareLibrary),
      search: on(library.searchLibrary),
      searchTranscripts: on(library.searchTranscripts),
    },
    map: {
      getRevision: on(map.getMapRevision),
      getSnapshot: on(map.getMapSnapshot),
      getVectors: on(vectors.getVectors),
      putVectors: on(vectors.putVectors),
      getSpeech: on(speech.getSpeech),
      getRegionNames: on(regionNames.getRegionNames),
      putRegionNames: on(regionNames.putRegionNames),
      getLayout: on(vectors.getLayout),
      putLayout: on(vectors.putLayout),
    },
    installation: {
      listChoices: on(installation.listChoices),
      recordChoice: on(installation.recordChoice),
      setChoice: on(installation.setChoice),
      recordHeartbeat: on(installation.recordHeartbeat),
      deregisterWorker: on(installation.deregisterWorker),
      listWorkers: on(installation.listWorkers),
    },
    retention: {
      count: on(retention.countOldRows),
      deleteBatch: on(retention.deleteOldBatch),
      measureTables: on(retention.measureTables),
      listTableSizes: on(retention.listTableSizes),
    },
    idempotency: {
      claim: on(idempotency.claimKey),
      renew: on(idempotency.renewKey),
      complete: on(idempotency.completeKey),
      release: on(idempotency.releaseKey),
    },
    savedViews: {
      list: on(savedViews.listSavedViews),
      create: on(savedViews.createSavedView),
      update: on(savedViews.updateSavedView),
      delete: on(savedViews.deleteSavedView),
    },
    tokens: {
      create: on(tokens.createToken),
      list: on(tokens.listTokens),
      revoke: on(tokens.revokeToken),
      recordUse: on(tokens.recordTokenUse),
      getCredentials: on(tokens.getCredentials),
      openSession: on(tokens.openSession),
      closeSession: on(tokens.closeSession),
    },
    shares: {
      create: on(shares.createShare),
      list: on(shares.listShares),
      revoke: on(shares.revokeShare),
      open: on(shares.openShare),
    },
    notes: {
      create: on(notes.createNote),
      list: on(notes.listNotes),
      get: on(notes.getNote),
      update: on(notes.updateNote),
      delete: on(notes.deleteNote),
    },
    vocabulary: {
      list: on(vocabulary.listVocabulary),
      add: on(vocabulary.addVocabularyEntry),
      update: on(vocabulary.updateVocabularyEntry),
      delete: on(vocabulary.deleteVocabularyEntry),
      suggest: on(vocabulary.suggestVocabulary),
    },
    summaries: {
      listTemplates: on(templates.listTemplates),
      createTemplate: on(templates.createTemplate),
      updateTemplate: on(templates.updateTemplate),
      deleteTemplate: on(templates.deleteTemplate),
      request: on(summaries.requestSummary),
      list: on(summaries.listSummaries),
      get: on(summaries.getSummary),
      delete: on(summaries.deleteSummary),
      hasDue: on(summaries.hasDueSummary),
      claimDue: on(summaries.claimDueSummary),
      renew: on(summaries.renewSummary),
      complete: on(summaries.completeSummary),
      fail: on(summaries.failSummary),
    },
    threads: {
      create: on(threads.createThread),
      list: on(threads.listThreads),
      get: on(threads.getThread),
      listPast: on(threads.listPastTurns),
      update: on(threads.updateThread),
      delete: on(threads.deleteThread),
      addTurn: on(threads.addTurn),
    },
    replacements: {
      apply: on(replacements.applyReplacement),
      list: on(replacements.listReplacements),
      listClips: on(replacements.listReplacedClips),
      undo: on(replacements.undoReplacement),
    },
    webhooks: {
      create: on(webhooks.createWebhook),
      list: on(webhooks.listWebhooks),
      get: on(webhooks.getWebhook),
      update: on(webhooks.updateWebhook),
      delete: on(webhooks.deleteWebhook),
      listDeliveries: on(webhooks.listDeliveries),
      redeliver: on(webhooks.redeliver),
      hasDue: on(deliveries.hasDueDelivery),
      claimDue: on(deliveries.claimDueDeliveries),
      settle: on(deliveries.settleDelivery),
      deleteOld: on(deliveries.deleteOldDeliveries),
    },
    now: () => database.read(({ now }) => constant(now)),
    ping: async () => {
      await database.read(({ db, tables: { jobs } }) => get(db.select({ id: jobs.id }).from(jobs).limit(1)))
    },
  }
}
