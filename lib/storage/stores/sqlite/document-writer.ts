import type { ChildProcess } from "node:child_process"
import { AppError } from "../../../domain/errors.ts"
import { resolveChildProgram } from "../../../platform/processes/child-program.ts"
import { forkProgram, removeTaskListeners } from "../../../platform/processes/fork.ts"
import { toDatabaseError } from "../../database/errors.ts"
import type { DatabaseHandle } from "../../database/open.ts"
import type { NewDocument } from "../ports/documents.ts"
import type { DocumentWriter } from "../sql/database.ts"

type Operation =
  | { readonly operation: "put"; readonly document: NewDocument }
  | { readonly operation: "remove"; readonly ids: readonly string[] }

/** What the child process receives. */
export type WriteRequest = Operation & {
  readonly path: string
  readonly busyTimeoutMs: number
  /** The value of SQLite's `synchronous`. */
  readonly synchronous: number
  readonly now: number
}

/** What the child process sends: a result, or the message and code of an error. */
export type WriteReply = { readonly result: boolean | number } | { readonly message: string; readonly code?: string }

/** How long an idle child process is kept. */
const IDLE_MS = 30_000

/**
 * Writes and removes large documents in a child process with a connection of its own, because inserting, committing and the
 * checkpoint after it take seconds. Other requests do not see a document until it is written. Their writes wait for it as
 * for one of another process.
 * @throws AppError `unavailable` if the database stays locked or the process ends; `storage_full`
 */
export const createDocumentWriter = (
  main: DatabaseHandle,
  clock: () => number,
): DocumentWriter & { readonly close: () => void } => {
  let child: ChildProcess | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  const end = (): void => {
    clearTimeout(idleTimer)
    child?.kill("SIGKILL")
    child = undefined
  }
  const start = (): ChildProcess => {
    const { file, execArgv } = resolveChildProgram("document-writer", "document-writer.child.ts", import.meta.url)
    return forkProgram(file, execArgv)
  }
  const ask = (operation: Operation): Promise<boolean | number> =>
    new Promise((resolve, reject) => {
      clearTimeout(idleTimer)
      child ??= start()
      const asked = child
      const settle = (act: () => void): void => {
        removeTaskListeners(asked)
        asked.channel?.unref()
        if (asked.connected) idleTimer = setTimeout(end, IDLE_MS).unref()
        else end()
        act()
      }
      const fail = (cause?: unknown): void =>
        settle(() =>
          reject(
            new AppError("unavailable", "The process that writes documents has ended. Try again later.", {
              cause,
              retry: "retry",
            }),
          ),
        )
      asked.once("error", fail)
      asked.once("exit", () => fail())
      asked.once("message", (reply: WriteReply) =>
        settle(() => {
          if ("result" in reply) resolve(reply.result)
          else reject(toDatabaseError(Object.assign(new Error(reply.message), { code: reply.code }), main.path))
        }),
      )
      // A process that waits for the result must not exit.
      asked.channel?.ref()
      const synchronous = Number(main.raw.pragma("synchronous", { simple: true }))
      asked.send({ ...operation, path: main.path, busyTimeoutMs: main.busyTimeoutMs, synchronous, now: clock() })
    })
  const enqueue = (operation: Operation): Promise<boolean | number> => {
    const result = last.then(() => ask(operation))
    last = result.catch(() => {})
    return result
  }

  return {
    put: async ({ clip, ...rest }) => {
      // A clip may have more fields, which need not be sent.
      const document = clip ? { ...rest, clip: { title: clip.title, transcription: clip.transcription } } : rest
      return (await enqueue({ operation: "put", document })) === true
    },
    remove: async (ids) => Number(await enqueue({ operation: "remove", ids })),
    close: end,
  }
}
