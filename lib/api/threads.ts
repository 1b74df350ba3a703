import * as z from "zod"
import { thread, threadList, threadPatch, threadRequest, threadsQuery, threadWithTurns } from "../domain/threads.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const threadParams = z.object({ id: z.string().min(1).describe("The ID of the thread") })

export const threadEndpoints = {
  listThreads: {
    method: "GET",
    path: "/threads",
    scope: "read",
    summary: "Lists conversations, the one asked last first",
    call: "threads",
    needs: ["rag"],
    query: threadsQuery,
    response: { name: "ThreadList", schema: threadList },
  },
  createThread: {
    method: "POST",
    path: "/threads",
    scope: "write",
    summary: "Starts a conversation. `POST /query` with its ID as `thread_id` asks in it",
    call: "createThread",
    needs: ["rag"],
    body: { name: "ThreadRequest", schema: threadRequest, example: { title: "The mast of the boat" } },
    status: 201,
    response: { name: "CreatedThread", schema: thread.extend({ warnings: requestWarnings }) },
    location: "/threads/{id}",
    errors: [409, 507],
  },
  getThread: {
    method: "GET",
    path: "/threads/{id}",
    scope: "read",
    summary: "Returns a conversation with its questions and answers",
    call: "thread",
    needs: ["rag"],
    params: threadParams,
    response: { name: "ThreadWithTurns", schema: threadWithTurns },
    isVersioned: true,
  },
  renameThread: {
    method: "PATCH",
    path: "/threads/{id}",
    scope: "write",
    summary: "Changes the title of a conversation",
    call: "renameThread",
    needs: ["rag"],
    params: threadParams,
    body: { name: "ThreadPatch", schema: threadPatch, example: { title: "Masts and sails" } },
    response: { name: "Thread", schema: thread },
    errors: [507],
    isVersioned: true,
  },
  deleteThread: {
    method: "DELETE",
    path: "/threads/{id}",
    scope: "write",
    summary: "Deletes a conversation with its questions and answers",
    call: "deleteThread",
    needs: ["rag"],
    params: threadParams,
    status: 204,
    isVersioned: true,
  },
} as const satisfies Endpoints
