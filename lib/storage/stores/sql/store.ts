import type { OutboxStore } from "../ports/outbox.ts"
import type { Store } from "../ports/store.ts"
import * as claims from "./claims.ts"
import * as clipEdits from "./clip-edits.ts"
import * as clips from "./clips.ts"
import type { Context } from "./context.ts"
import * as gpu from "./gpu.ts"
import * as installation from "./installation.ts"
import * as jobs from "./jobs.ts"
import { prepareLibrary, searchLibrary, searchSpoken } from "./library-search.ts"
import * as modelRuns from "./model-runs.ts"
import * as outbox from "./outbox.ts"
import * as stageEnds from "./stage-ends.ts"
import { constant, get } from "./steps.ts"
import { sweep } from "./sweep.ts"
import * as topicEdits from "./topic-edit-writes.ts"
import * as topicRuns from "./topic-runs.ts"
import * as vectors from "./vectors.ts"
import * as waveforms from "./waveforms.ts"
import * as wordEdits from "./word-edits.ts"

/** Creates the ports that are implemented alike on every database. */
export const createSqlStore = (
  c: Context,
  watch: OutboxStore["watch"],
): Omit<Store, "kind" | "degradedReason" | "documents" | "close"> => {
  const on =
    <A extends unknown[], R>(operation: (c: Context, ...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      operation(c, ...args)
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
      renewLease: on(claims.heartbeat),
      reportProgress: on(claims.reportProgress),
      complete: on(stageEnds.completeStage),
      fail: on(stageEnds.failStage),
      sweep: on(sweep),
      getQueuedSince: on(outbox.queuedSince),
    },
    outbox: {
      listDue: on(outbox.dueOutbox),
      markPublished: on(outbox.markPublished),
      watch,
      acquireLease: on(outbox.acquireLease),
      releaseLease: on(outbox.releaseLease),
    },
    resources: {
      acquireGpu: on(gpu.enterGpu),
      releaseGpu: on(gpu.leaveGpu),
      holdModel: on(modelRuns.holdModel),
      claimEvictableModels: on(modelRuns.claimEvictableModels),
    },
    clips: {
      get: on(clips.getClip),
      getTitle: on(clips.clipTitle),
      list: on(clipEdits.listClips),
      update: on(clipEdits.editClip),
      delete: on(clipEdits.deleteClip),
      saveTranscript: on(clips.saveTranscript),
      listWordEdits: on(wordEdits.listWordEdits),
      editWords: on(wordEdits.editWords),
      removeWordEdit: on(wordEdits.dropWordEdit),
      getWaveform: on(waveforms.getWaveform),
      saveWaveform: on(waveforms.putWaveform),
    },
    topics: {
      get: on(topicEdits.getTopics),
      save: on(clips.saveTopics),
      edit: on(topicEdits.editTopic),
      removeEdit: on(topicEdits.removeTopicEdit),
      listRuns: on(topicRuns.listTopicRuns),
      getRun: on(topicRuns.getTopicRun),
    },
    library: {
      prepare: on(prepareLibrary),
      search: on(searchLibrary),
      searchTranscripts: on(searchSpoken),
    },
    map: {
      getRevision: on(clips.mapRevision),
      getSnapshot: on(clips.mapSnapshot),
      getVectors: on(vectors.getVectors),
      putVectors: on(vectors.putVectors),
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
    now: () => c.read(({ at }) => constant(at)),
    ping: async () => {
      await c.read(({ db, t: { jobs } }) => get(db.select({ id: jobs.id }).from(jobs).limit(1)))
    },
  }
}
