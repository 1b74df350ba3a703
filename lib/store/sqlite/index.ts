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
 * The store on SQLite. Every method runs to its end in one synchronous transaction; `async` only turns what it throws
 * into a rejection. `close` closes the database, so a broker on the same handle is closed before it.
 */
export const openSqliteStore = (handle: DatabaseHandle, { now = Date.now }: { now?: () => number } = {}): Store => {
  const c: Context = { handle, now }
  return {
    kind: "sqlite",
    submitJob: async (job) => jobs.submitJob(c, job),
    getJob: async (id) => jobs.getJob(c, id),
    listJobs: async (query) => jobs.listJobs(c, query),
    cancelJob: async (id) => jobs.cancelJob(c, id),
    countJobs: async () => jobs.countJobs(c),
    retryJob: async (id, trace) => jobs.retryJob(c, id, trace),

    claimStage: async (p) => claims.claimStage(c, p),
    heartbeat: async (claim, leaseMs) => claims.heartbeat(c, claim, leaseMs),
    reportProgress: async (claim, progress) => claims.reportProgress(c, claim, progress),
    completeStage: async (claim, result) => stageEnds.completeStage(c, claim, result),
    failStage: async (claim, failure) => stageEnds.failStage(c, claim, failure),
    sweep: async () => sweep(c),

    dueOutbox: async (limit) => outbox.dueOutbox(c, limit),
    markPublished: async (ids) => outbox.markPublished(c, ids),
    queuedSince: async () => outbox.queuedSince(c),
    acquireLease: async (p) => outbox.acquireLease(c, p),
    releaseLease: async (p) => outbox.releaseLease(c, p),
    holdModel: async (p) => modelRuns.holdModel(c, p),
    enterGpu: async (p) => gpu.enterGpu(c, p),
    leaveGpu: async (claim) => gpu.leaveGpu(c, claim),
    takeEvictions: async () => modelRuns.takeEvictions(c),

    getClip: async (id) => clips.getClip(c, id),
    saveTranscript: async (id, clip, columns) => clips.saveTranscript(c, id, clip, columns),
    saveTopics: async (id, output, settings) => clips.saveTopics(c, id, output, settings),
    getTopics: async (id) => topicEdits.getTopics(c, id),
    editTopic: async (id, topic, patch) => topicEdits.editTopic(c, id, topic, patch),
    removeTopicEdit: async (id, edit) => topicEdits.removeTopicEdit(c, id, edit),
    listTopicRuns: async (id) => topicRuns.listTopicRuns(c, id),
    getTopicRun: async (run) => topicRuns.getTopicRun(c, run),
    listClips: async (query) => clipEdits.listClips(c, query),
    editClip: async (id, patch) => clipEdits.editClip(c, id, patch),
    deleteClip: async (id) => clipEdits.deleteClip(c, id),
    wordEdits: async (id) => wordEdits.listWordEdits(c, id),
    editWords: async (id, edits) => wordEdits.editWords(c, id, edits),
    dropWordEdit: async (id, edit) => wordEdits.dropWordEdit(c, id, edit),
    waveform: async (id, stamp) => waveforms.getWaveform(c, id, stamp),
    saveWaveform: async (id, stamp, waveform) => waveforms.putWaveform(c, id, stamp, waveform),
    searchLibrary: async (query) => searchLibrary(c, query),

    mapRevision: async () => clips.mapRevision(c),
    mapSnapshot: async () => clips.mapSnapshot(c),
    getVectors: async (model, hashes) => vectors.getVectors(c, model, hashes),
    putVectors: async (model, items) => vectors.putVectors(c, model, items),
    getLayout: async (model) => vectors.getLayout(c, model),
    putLayout: async (model, layout, replaces) => vectors.putLayout(c, model, layout, replaces),

    search: openDocumentIndex(c),

    choices: async () => installation.listChoices(c),
    recordChoice: async (choice) => installation.recordChoice(c, choice),
    setChoice: async (kind, choice) => installation.setChoice(c, kind, choice),
    beat: async (worker) => installation.beat(c, worker),
    unbeat: async (id) => installation.unbeat(c, id),
    workers: async (p) => installation.listWorkers(c, p),

    ping: async () => void withRead(handle, (tx) => tx.get("select count(*) from jobs where id = ''")),
    close: async () => handle.close(),
  }
}
