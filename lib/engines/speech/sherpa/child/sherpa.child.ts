import { messageOf } from "../../../../domain/errors.ts"
import type { Methods, ProcessRequest, ProcessResponse } from "../protocol.ts"
import { type LoadedDiarizer, loadDiarizer } from "./diarizer.ts"
import { type LoadedEmbedder, loadEmbedder } from "./embedder.ts"
import { loadSherpa } from "./native.ts"
import { loadRecognizer, type Recognizer } from "./recognizer.ts"

/** Runs native speech code in a child process. It answers requests over IPC and ends with its parent process. */
let library: ReturnType<typeof loadSherpa> | null = null
class LibraryLoadError extends Error {}
const loadLibrary = (): ReturnType<typeof loadSherpa> => {
  try {
    library ??= loadSherpa()
    return library
  } catch (error) {
    throw new LibraryLoadError(messageOf(error).split("\n")[0])
  }
}
let recognizer: Recognizer | null = null
let diarizer: LoadedDiarizer | null = null
let embedder: LoadedEmbedder | null = null

const requireLoaded = <T>(model: T | null, name: string): T => {
  if (model === null) throw new Error(`the ${name} is not loaded`)
  return model
}

const methods = (progress: (done: number, total: number) => void): Methods => ({
  loadRecognizer: async (options) => {
    recognizer = await loadRecognizer(loadLibrary().sherpa, options)
    return null
  },
  begin: async (recording) => {
    requireLoaded(recognizer, "recognizer").begin(recording)
    return null
  },
  feed: ({ pcm }) => requireLoaded(recognizer, "recognizer").feed(pcm),
  finish: () => requireLoaded(recognizer, "recognizer").finish(),
  loadDiarizer: async (options) => {
    diarizer = loadDiarizer(loadLibrary(), options)
    return null
  },
  collect: async ({ pcm, max }) => {
    requireLoaded(diarizer, "diarizer").collect(pcm, max)
    return null
  },
  loadEmbedder: async (options) => {
    embedder = loadEmbedder(loadLibrary().sherpa, options)
    return null
  },
  embed: async ({ pcm }) => requireLoaded(embedder, "embedder").embed(pcm),
  diarize: () => requireLoaded(diarizer, "diarizer").diarize(progress),
})

const send = (response: ProcessResponse): void => {
  if (process.connected) process.send?.(response)
}

const handleRequest = async ({ id, method, params }: ProcessRequest): Promise<void> => {
  try {
    const run = methods((done, total) => send({ id, done, total }))[method] as (p: unknown) => Promise<unknown>
    send({ id, value: await run(params) })
  } catch (error) {
    send({ id, error: messageOf(error), ...(error instanceof LibraryLoadError && { isLibraryError: true }) })
  }
}

let queue: Promise<void> = Promise.resolve()
process.on("message", (request: ProcessRequest) => {
  // A new recording makes the rest of the previous one obsolete.
  if (request.method === "begin") recognizer?.stop()
  queue = queue.then(() => handleRequest(request))
})
process.on("disconnect", () => process.exit(0))
