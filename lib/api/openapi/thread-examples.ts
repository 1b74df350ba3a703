import type { QuerySource } from "../../domain/documents.ts"
import type { Thread, ThreadList, ThreadWithTurns } from "../../domain/threads.ts"

const thread: Thread = {
  id: "01a1f2c4-0d2b-7b1a-9c3e-6a5f4e3d2c1b",
  title: "How bees find flowers",
  questions: 1,
  created_at: "2026-11-23T10:00:00.000Z",
  updated_at: "2026-11-23T10:02:00.000Z",
  etag: '"mi2z9m80-1"',
}

const withTurns = (source: QuerySource): ThreadWithTurns => ({
  ...thread,
  turns: [
    {
      number: 1,
      question: "What does the waggle dance encode?",
      rewritten_question: null,
      scope: "all",
      filter: { tags: ["bees"] },
      state: "done",
      answer: "The waggle dance encodes direction and distance. [1]",
      error: null,
      sources: [source],
      citations: [{ source: 1 }],
      found: {
        extracts: [{ source: 1, text: "The waggle dance encodes direction and distance." }],
        recordings: 0,
        documents: 1,
      },
      searched: { recordings: 12, documents: 3, chunks: 480 },
      provider: "builtin",
      model: null,
      created_at: "2026-11-23T10:02:00.000Z",
    },
  ],
})

type ThreadExamples = Readonly<{
  listThreads: ThreadList
  createThread: Thread
  getThread: ThreadWithTurns
  renameThread: Thread
}>

export const threadExamples = (source: QuerySource): ThreadExamples => ({
  listThreads: { threads: [thread] },
  createThread: { ...thread, questions: 0, updated_at: thread.created_at, etag: '"mi2z9m80-0"' },
  getThread: withTurns(source),
  renameThread: { ...thread, title: "Waggle dances" },
})
