import { tmpdir } from "node:os"
import { basename, extname } from "node:path"
import type { Format } from "../domain/document-formats.ts"
import { AppError, messageOf } from "../domain/errors.ts"
import { resolveChildProgram } from "../platform/processes/child-program.ts"
import { type Collector, createChunkCollector, type ParsedChunks } from "./chunk-collector.ts"
import { type ContentFile, createContentCollector } from "./content/content-collector.ts"
import { createFairQueue } from "./fair-queue.ts"
import { LIMITS } from "./limits.ts"
import type { ParseTask } from "./parser-messages.ts"
import { type ParserProcess, type ProcessLimits, startParserProcess } from "./parser-process.ts"
import type { SplitOptions } from "./split.ts"

export type ParserOptions = Partial<ProcessLimits> & {
  /** The program of the child processes. Default: the one of this installation. */
  readonly program?: { readonly file: string; readonly execArgv: readonly string[] }
  /** The time limit of one file. Default: by size. */
  readonly timeoutMs?: number
  /** How long a request waits for a free child process. */
  readonly waitMs?: number
  /** How long idle child processes are kept. */
  readonly idleMs?: number
  /** Where the chunks of large documents are kept. Default: the folder of the system for temporary files. */
  readonly tempDir?: string
}

export type ParserTask = {
  readonly path: string
  readonly format: Format
  readonly bytes: Uint8Array
  readonly split: SplitOptions
  /** Whether the chunks also get the vectors of the built-in embedder. */
  readonly embeds: boolean
  /** Identifies the request that the file belongs to. Requests take turns. */
  readonly requester: object
}

/**
 * Extracts the text of files and splits it into chunks, in two child processes without environment, with limits on memory,
 * time and output (`LIMITS`). A file that takes long occupies one of them at most for its time limit.
 */
export interface DocumentParser {
  /**
   * @throws AppError `invalid` for a damaged file, or one that needs too much time or memory; `too_large` for too many
   *   chunks; `unavailable` if no child process becomes free in time
   */
  parse(task: ParserTask, signal?: AbortSignal): Promise<ParsedChunks>
  /**
   * Reads the content of a file for display, into a temporary file that the caller removes. Its chunks are placed in it.
   * @throws as `parse`
   */
  readContent(task: Omit<ParserTask, "embeds">, signal?: AbortSignal): Promise<ContentFile>
  close(): Promise<void>
}

const CHILDREN = 2

const withPath = (error: unknown, path: string): unknown =>
  AppError.is(error) && error.code !== "unavailable"
    ? new AppError(error.code, `Couldn't read ${basename(path)}: ${messageOf(error)}`)
    : error

export const createParser = ({
  program,
  timeoutMs,
  heapMb = LIMITS.heapMb,
  residentMb = LIMITS.residentMb,
  waitMs = LIMITS.waitMs,
  idleMs = 30_000,
  tempDir = tmpdir(),
}: ParserOptions = {}): DocumentParser => {
  const queue = createFairQueue({
    slots: CHILDREN,
    waitMs,
    busyMessage: "The document parser is busy with other files. Try again later.",
  })
  const idle: ParserProcess[] = []
  const busy = new Set<ParserProcess>()
  let idleTimer: NodeJS.Timeout | undefined

  const endIdle = (): void => {
    for (const child of idle.splice(0)) child.end()
  }
  const start = (): ParserProcess =>
    startParserProcess(program ?? resolveChildProgram("document-parser", "parser.child.ts", import.meta.url), {
      heapMb,
      residentMb,
    })
  const takeIdle = (): ParserProcess | undefined => {
    for (let child = idle.pop(); child; child = idle.pop()) {
      if (child.isReusable()) return child
      child.end()
    }
    return undefined
  }
  const runInChild = async <T>(
    { path, requester: _, ...task }: ParserTask & Pick<ParseTask, "purpose">,
    collector: Collector<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    clearTimeout(idleTimer)
    // The most recently used one, so that one child stays warm when files come one after the other.
    const child = takeIdle() ?? start()
    busy.add(child)
    try {
      const limitMs =
        timeoutMs ?? (task.bytes.byteLength > LIMITS.smallFileBytes ? LIMITS.largeFileMs : LIMITS.smallFileMs)
      const extension = extname(path).toLowerCase()
      return await child.run({ ...task, extension }, collector, limitMs, signal)
    } finally {
      busy.delete(child)
      if (child.isReusable()) idle.push(child)
      else child.end()
      idleTimer = setTimeout(endIdle, idleMs).unref()
    }
  }

  const runInTurn: typeof runInChild = async (task, collector, signal) => {
    const release = await queue.enter(task.requester, signal)
    try {
      return await runInChild(task, collector, signal)
    } catch (error) {
      throw withPath(error, task.path)
    } finally {
      release()
    }
  }

  return {
    parse: (task, signal) => runInTurn({ ...task, purpose: "chunks" }, createChunkCollector(tempDir), signal),
    readContent: (task, signal) =>
      runInTurn({ ...task, purpose: "content", embeds: false }, createContentCollector(tempDir), signal),
    close: async () => {
      clearTimeout(idleTimer)
      endIdle()
      for (const child of busy) child.end()
    },
  }
}
