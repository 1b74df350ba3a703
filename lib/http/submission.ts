import { audioJobRequest } from "../contracts/jobs.ts"
import type { Submission } from "../services/submit-job.ts"
import { mediaType, readJson } from "./body.ts"
import type { HttpDeps } from "./container.ts"
import { receiveUpload } from "./upload.ts"
import { parseInput } from "./validation.ts"

/**
 * A job as it was sent: a source by JSON, or a recording in a form with the same fields as text.
 * @throws AppError with the status of the refusal
 */
export const readSubmission = async (deps: HttpDeps, request: Request): Promise<Submission> => {
  if (mediaType(request.headers) === "multipart/form-data") return receiveUpload(request, deps)
  return { request: parseInput(audioJobRequest, await readJson(request, deps.config.http.maxJsonBytes), "the body") }
}
