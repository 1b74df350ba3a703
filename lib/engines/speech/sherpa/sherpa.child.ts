import { messageOf } from "../../../domain/errors.ts"
import { type LoadedDiarizer, loadDiarizer } from "./diarizer.ts"
import { loadSherpa } from "./native.ts"
import type { Answer, Methods, Question } from "./protocol.ts"
import { loadRecogniser, type Recogniser } from "./recogniser.ts"

/** The process that native speech code lives in. It is asked over IPC and ends with whoever started it. */
let library: ReturnType<typeof loadSherpa> | null = null
class LibraryUnfit extends Error {}
const native = (): ReturnType<typeof loadSherpa> => {
  try {
    library ??= loadSherpa()
    return library
  } catch (error) {
    throw new LibraryUnfit(messageOf(error).split("\n")[0])
  }
}
let recogniser: Recogniser | null = null
let diarizer: LoadedDiarizer | null = null

const loaded = <T>(part: T | null, name: string): T => {
  if (part === null) throw new Error(`the ${name} is not loaded`)
  return part
}

const methods = (progress: (done: number, total: number) => void): Methods => ({
  loadRecogniser: async (given) => {
    recogniser = await loadRecogniser(native().sherpa, given)
    return null
  },
  begin: async ({ language }) => {
    loaded(recogniser, "recogniser").begin(language)
    return null
  },
  feed: ({ pcm }) => loaded(recogniser, "recogniser").feed(pcm),
  finish: () => loaded(recogniser, "recogniser").finish(),
  loadDiarizer: async (given) => {
    diarizer = loadDiarizer(native(), given)
    return null
  },
  collect: async ({ pcm, max }) => {
    loaded(diarizer, "diarizer").collect(pcm, max)
    return null
  },
  diarize: () => loaded(diarizer, "diarizer").diarize(progress),
})

const send = (answer: Answer): void => {
  if (process.connected) process.send?.(answer)
}

const answerTo = async ({ id, method, params }: Question): Promise<void> => {
  try {
    const ask = methods((done, total) => send({ id, done, total }))[method] as (p: unknown) => Promise<unknown>
    send({ id, value: await ask(params) })
  } catch (error) {
    send({ id, error: messageOf(error), ...(error instanceof LibraryUnfit && { unfit: true }) })
  }
}

let turn: Promise<void> = Promise.resolve()
process.on("message", (question: Question) => {
  // Nobody waits for the rest of a recording when the next one begins.
  if (question.method === "begin") recogniser?.stop()
  turn = turn.then(() => answerTo(question))
})
process.on("disconnect", () => process.exit(0))
