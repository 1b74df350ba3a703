import type { Store } from "../types.ts"
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

/** Everything of the store that is the same on every database. Every method is one whole transaction. */
export const createSqlStore = (
  c: Context,
): Omit<Store, "kind" | "degradedReason" | "watchOutbox" | "search" | "close"> => {
  const of =
    <A extends unknown[], R>(operation: (c: Context, ...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      operation(c, ...args)
  return {
    submitJob: of(jobs.submitJob),
    getJob: of(jobs.getJob),
    listJobs: of(jobs.listJobs),
    countJobs: of(jobs.countJobs),
    cancelJob: of(jobs.cancelJob),
    retryJob: of(jobs.retryJob),

    claimStage: of(claims.claimStage),
    heartbeat: of(claims.heartbeat),
    reportProgress: of(claims.reportProgress),
    completeStage: of(stageEnds.completeStage),
    failStage: of(stageEnds.failStage),
    sweep: of(sweep),

    dueOutbox: of(outbox.dueOutbox),
    markPublished: of(outbox.markPublished),
    queuedSince: of(outbox.queuedSince),
    acquireLease: of(outbox.acquireLease),
    releaseLease: of(outbox.releaseLease),
    holdModel: of(modelRuns.holdModel),
    claimEvictableModels: of(modelRuns.claimEvictableModels),
    enterGpu: of(gpu.enterGpu),
    leaveGpu: of(gpu.leaveGpu),

    getClip: of(clips.getClip),
    clipTitle: of(clips.clipTitle),
    saveTranscript: of(clips.saveTranscript),
    saveTopics: of(clips.saveTopics),
    getTopics: of(topicEdits.getTopics),
    editTopic: of(topicEdits.editTopic),
    removeTopicEdit: of(topicEdits.removeTopicEdit),
    listTopicRuns: of(topicRuns.listTopicRuns),
    getTopicRun: of(topicRuns.getTopicRun),
    listClips: of(clipEdits.listClips),
    editClip: of(clipEdits.editClip),
    deleteClip: of(clipEdits.deleteClip),
    wordEdits: of(wordEdits.listWordEdits),
    editWords: of(wordEdits.editWords),
    dropWordEdit: of(wordEdits.dropWordEdit),
    waveform: of(waveforms.getWaveform),
    saveWaveform: of(waveforms.putWaveform),
    prepareLibrary: of(prepareLibrary),
    searchLibrary: of(searchLibrary),
    searchSpoken: of(searchSpoken),

    mapRevision: of(clips.mapRevision),
    mapSnapshot: of(clips.mapSnapshot),
    getVectors: of(vectors.getVectors),
    putVectors: of(vectors.putVectors),
    getLayout: of(vectors.getLayout),
    putLayout: of(vectors.putLayout),

    choices: of(installation.listChoices),
    recordChoice: of(installation.recordChoice),
    setChoice: of(installation.setChoice),
    recordHeartbeat: of(installation.recordHeartbeat),
    deregisterWorker: of(installation.deregisterWorker),
    workers: of(installation.listWorkers),

    now: () => c.read(({ at }) => constant(at)),
    ping: async () => {
      await c.read(({ db, t: { jobs } }) => get(db.select({ id: jobs.id }).from(jobs).limit(1)))
    },
  }
}
