import { audioJobRequest } from "../../domain/jobs/jobs.ts"
import type { Submission } from "../../services/jobs/submit-job.ts"
import { mediaType, readJson } from "../body.ts"
import type { HttpDeps } from "../container.ts"
import { parseInput } from "../validation.ts"
import { receiveUpload } from "./upload.ts"

/**
 * A job as it was sent: a source by JSON, or a recording in a form with the same fields as text.
 * @throws AppError with the status of the refusal
 */
export const readSubmission = async (deps: HttpDeps, request: Request): Promise<Submission> => {
  if (mediaType(request.headers) === "multipart/form-data") return receiveUpload(request, deps)
  return { request: parseInput(audioJobRequest, await readJson(request, deps.config.http.maxJsonBytes), "the body") }
}
