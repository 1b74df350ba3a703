import type { DatabaseHandle } from "../../db/open.ts"
import { withRead } from "../../db/transact.ts"
import type { Store } from "../types.ts"
import * as claims from "./claims.ts"
import * as clipEdits from "./clip-edits.ts"
import * as clips from "./clips.ts"
import type { Context } from "./context.ts"
import { openDocumentIndex } from "./document-index.ts"
import * as gpu from "./gpu.ts"
import * as installation from "./installation.ts"
import * as jobs from "./jobs.ts"
import { searchLibrary } from "./library-search.ts"
import * as modelRuns from "./model-runs.ts"
import * as outbox from "./outbox.ts"
import * as stageEnds from "./stage-ends.ts"
import { sweep } from "./sweep.ts"
import * as topicEdits from "./topic-edit-writes.ts"
import * as topicRuns from "./topic-runs.ts"
import * as vectors from "./vectors.ts"
import * as waveforms from "./waveforms.ts"
import * as wordEdits from "./word-edits.ts"

/**
 * The store on SQLite. Every method runs to its end in one synchronous transaction; what writes does so in its turn, and
 * `async` only turns what a reading one throws into a rejection. `close` closes the database, so a broker on the same
 * handle is closed before it.
 */
export const openSqliteStore = (handle: DatabaseHandle, { now = Date.now }: { now?: () => number } = {}): Store => {
  const c: Context = { handle, now }
  const writes =
    <A extends unknown[], R>(write: (c: Context, ...args: A) => R) =>
    (...args: A): Promise<R> =>
      handle.turn(() => write(c, ...args))
  /** For what prepares at length and then writes: only the writing waits, and is perhaps repeated. */
  const prepares =
    <A extends unknown[], R>(prepare: (c: Context, ...args: A) => () => R) =>
    async (...args: A): Promise<R> =>
      handle.turn(prepare(c, ...args))
  return {
    kind: "sqlite",
    submitJob: prepares(jobs.submitJob),
    getJob: async (id) => jobs.getJob(c, id),
    listJobs: async (query) => jobs.listJobs(c, query),
    cancelJob: writes(jobs.cancelJob),
    countJobs: async () => jobs.countJobs(c),
    retryJob: writes(jobs.retryJob),

    claimStage: writes(claims.claimStage),
    heartbeat: writes(claims.heartbeat),
    reportProgress: writes(claims.reportProgress),
    completeStage: prepares(stageEnds.completeStage),
    failStage: writes(stageEnds.failStage),
    sweep: writes(sweep),

    dueOutbox: async (limit) => outbox.dueOutbox(c, limit),
    markPublished: writes(outbox.markPublished),
    queuedSince: async () => outbox.queuedSince(c),
    acquireLease: writes(outbox.acquireLease),
    releaseLease: writes(outbox.releaseLease),
    holdModel: writes(modelRuns.holdModel),
    enterGpu: writes(gpu.enterGpu),
    leaveGpu: writes(gpu.leaveGpu),
    takeEvictions: writes(modelRuns.takeEvictions),

    getClip: async (id) => clips.getClip(c, id),
    saveTranscript: prepares(clips.saveTranscript),
    saveTopics: writes(clips.saveTopics),
    getTopics: async (id) => topicEdits.getTopics(c, id),
    editTopic: writes(topicEdits.editTopic),
    removeTopicEdit: writes(topicEdits.removeTopicEdit),
    listTopicRuns: async (id) => topicRuns.listTopicRuns(c, id),
    getTopicRun: async (run) => topicRuns.getTopicRun(c, run),
    listClips: async (query) => clipEdits.listClips(c, query),
    editClip: writes(clipEdits.editClip),
    deleteClip: writes(clipEdits.deleteClip),
    wordEdits: async (id) => wordEdits.listWordEdits(c, id),
    editWords: writes(wordEdits.editWords),
    dropWordEdit: writes(wordEdits.dropWordEdit),
    waveform: async (id, stamp) => waveforms.getWaveform(c, id, stamp),
    saveWaveform: writes(waveforms.putWaveform),
    searchLibrary: async (query) => searchLibrary(c, query),

    mapRevision: async () => clips.mapRevision(c),
    mapSnapshot: async () => clips.mapSnapshot(c),
    getVectors: async (model, hashes) => vectors.getVectors(c, model, hashes),
    putVectors: writes(vectors.putVectors),
    getLayout: async (model) => vectors.getLayout(c, model),
    putLayout: writes(vectors.putLayout),

    search: openDocumentIndex(c),

    choices: async () => installation.listChoices(c),
    recordChoice: writes(installation.recordChoice),
    setChoice: writes(installation.setChoice),
    beat: writes(installation.beat),
    unbeat: writes(installation.unbeat),
    workers: async (p) => installation.listWorkers(c, p),

    ping: async () => void withRead(handle, (tx) => tx.get("select count(*) from jobs where id = ''")),
    close: async () => handle.close(),
  }
}
