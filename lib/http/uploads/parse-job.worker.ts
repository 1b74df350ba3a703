import { parentPort, workerData } from "node:worker_threads"
import { AppError, messageOf } from "../../domain/errors.ts"
import { type JobBody, parseJobBody } from "./job-body.ts"
import type { ParseAnswer } from "./job-parser.ts"

const parse = (): ParseAnswer => {
  try {
    return { job: parseJobBody(workerData as JobBody) }
  } catch (error) {
    if (AppError.is(error)) return { error: { code: error.code, message: error.message, errors: error.errors } }
    return { error: { code: "internal", message: messageOf(error), errors: undefined } }
  }
}

parentPort!.postMessage(parse())
