// Written by `npm run openapi` from the endpoint table. Do not edit.
import type { Endpoint } from "../endpoint.ts"
import type { EndpointId } from "../table.ts"

export type Route = Pick<Endpoint, "method" | "path" | "call"> & {
  readonly input?: "body" | "query"
  /** True if the endpoint takes an idempotency key, so that its requests can be repeated. */
  readonly takesKey?: true
}

/** Method and path of every endpoint, without the schemas, so that pages stay free of the schema library. */
export const ROUTES: Readonly<Record<EndpointId, Route>> = {
  health: { method: "GET", path: "/health", call: "health" },
  readiness: { method: "GET", path: "/health/ready", call: "readiness" },
  installation: { method: "GET", path: "/installation", call: "installation" },
  openapi: { method: "GET", path: "/openapi.json" },
  listModels: { method: "GET", path: "/models", call: "models" },
  removeModel: { method: "DELETE", path: "/models/{name}", call: "removeModel" },
  pullModel: { method: "POST", path: "/models/{name}/pull", call: "pullModel", takesKey: true },
  mcp: { method: "POST", path: "/mcp", input: "body" },
  listTokens: { method: "GET", path: "/tokens", call: "tokens" },
  createToken: { method: "POST", path: "/tokens", call: "createToken", input: "body" },
  revokeToken: { method: "DELETE", path: "/tokens/{id}", call: "revokeToken" },
  listJobs: { method: "GET", path: "/jobs", call: "jobs", input: "query" },
  submitJob: { method: "POST", path: "/jobs/audio", call: "submit", input: "body", takesKey: true },
  getJob: { method: "GET", path: "/jobs/{job_id}", call: "job", input: "query" },
  cancelJob: { method: "DELETE", path: "/jobs/{job_id}", call: "cancel" },
  jobResult: { method: "GET", path: "/jobs/{job_id}/result", call: "result" },
  retryJob: { method: "POST", path: "/jobs/{job_id}/retry", call: "retry", takesKey: true },
  jobEvents: { method: "GET", path: "/jobs/{job_id}/events", call: "events" },
  listFeed: { method: "GET", path: "/feeds", call: "feed", input: "query" },
  listClips: { method: "GET", path: "/clips", call: "clips", input: "query" },
  getClip: { method: "GET", path: "/clips/{id}", call: "clip" },
  editClip: { method: "PATCH", path: "/clips/{id}", call: "editClip", input: "body" },
  deleteClip: { method: "DELETE", path: "/clips/{id}", call: "deleteClip" },
  clipAudio: { method: "GET", path: "/clips/{id}/audio", call: "audioUrl" },
  exportClip: { method: "GET", path: "/clips/{id}/export", call: "exportClip", input: "query" },
  clipWaveform: { method: "GET", path: "/clips/{id}/waveform", call: "waveform" },
  retranscribe: { method: "POST", path: "/clips/{id}/transcript", call: "retranscribe", input: "body", takesKey: true },
  listWordEdits: { method: "GET", path: "/clips/{id}/edits", call: "wordEdits" },
  editWords: { method: "POST", path: "/clips/{id}/edits", call: "editWords", input: "body", takesKey: true },
  dropWordEdit: { method: "DELETE", path: "/clips/{id}/edits/{edit_id}", call: "dropWordEdit" },
  getTopics: { method: "GET", path: "/clips/{id}/topics", call: "topics" },
  rerunTopics: { method: "POST", path: "/clips/{id}/topics", call: "rerunTopics", input: "body", takesKey: true },
  editTopic: { method: "PATCH", path: "/clips/{id}/topics/{topic}", call: "editTopic", input: "body" },
  resetTopic: { method: "DELETE", path: "/clips/{id}/topics/{topic}", call: "resetTopic" },
  removeTopicEdit: { method: "DELETE", path: "/clips/{id}/topic-edits/{edit}", call: "removeTopicEdit" },
  listTopicRuns: { method: "GET", path: "/clips/{id}/runs", call: "topicRuns" },
  getTopicRun: { method: "GET", path: "/clips/{id}/runs/{run}", call: "topicRun" },
  diffTopicRuns: { method: "GET", path: "/clips/{id}/diff", call: "diffTopics", input: "query" },
  search: { method: "GET", path: "/search", call: "search", input: "query" },
  ingest: { method: "POST", path: "/ingest", call: "ingest", input: "body", takesKey: true },
  query: { method: "POST", path: "/query", call: "query", input: "body" },
  listDocuments: { method: "GET", path: "/documents", call: "documents" },
  addDocument: { method: "POST", path: "/documents", call: "addDocument", takesKey: true },
  getDocument: { method: "GET", path: "/documents/{id}", call: "document" },
  removeDocument: { method: "DELETE", path: "/documents/{id}", call: "removeDocument" },
  documentFile: { method: "GET", path: "/documents/{id}/file", call: "documentFileUrl" },
  vizData: { method: "GET", path: "/viz/data", call: "vizData", input: "query" },
  vizSearch: { method: "GET", path: "/viz/search", call: "vizSearch", input: "query" },
  vizAsset: { method: "GET", path: "/viz-assets/{path}" },
  listWebhooks: { method: "GET", path: "/webhooks", call: "webhooks", input: "query" },
  createWebhook: { method: "POST", path: "/webhooks", call: "createWebhook", input: "body" },
  getWebhook: { method: "GET", path: "/webhooks/{id}", call: "webhook" },
  updateWebhook: { method: "PATCH", path: "/webhooks/{id}", call: "updateWebhook", input: "body" },
  deleteWebhook: { method: "DELETE", path: "/webhooks/{id}", call: "deleteWebhook" },
  listDeliveries: { method: "GET", path: "/webhooks/{id}/deliveries", call: "deliveries", input: "query" },
  redeliver: {
    method: "POST",
    path: "/webhooks/{id}/deliveries/{delivery_id}/redeliver",
    call: "redeliver",
    takesKey: true,
  },
}
