import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type { ClipSummary, SummaryRequest } from "../../domain/summaries.ts"
import { type ClipRef, unknownClip } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"
import { makeSummary, SUMMARY_LEASE_MS } from "./make-summary.ts"

export type SummaryRef = { readonly id: string; readonly template_id: string }

const unknownSummary = ({ id, template_id }: SummaryRef): AppError =>
  new AppError("not_found", `clip '${id}' has no summary from template '${template_id}'`)

/** Throws AppError `conflict` if the template needs a language model and none is set up. */
const requireModel = async (deps: Deps, { template_id, provider }: SummaryRequest): Promise<void> => {
  const templates = await requireStore(deps).summaries.listTemplates()
  const template = templates.find(({ id }) => id === template_id)
  if (!template?.needs_model) return
  const chosen = provider === "auto" ? (await deps.engines.getChoice("provider")).value : provider
  if (chosen === "builtin")
    throw new AppError(
      "conflict",
      `The template '${template.name}' needs a language model. Set one up in the settings (Ollama or an OpenAI-compatible server), then run it again.`,
    )
}

/**
 * Requests a summary of a clip, which a worker then makes. One that is being made is made again.
 * @throws AppError `not_found` for an unknown clip or template, `conflict` if the template needs a language model
 */
export const requestSummary = async (deps: Deps, { id }: ClipRef, request: SummaryRequest): Promise<ClipSummary> => {
  await requireModel(deps, request)
  const { template_id, provider, llm_model } = request
  const summary = await requireStore(deps).summaries.request(id, template_id, { provider, llm_model })
  if (summary === null) throw unknownClip(id)
  return summary
}

/**
 * Makes a summary in this process and returns it.
 * @throws AppError as `requestSummary`, and `unavailable` or `conflict` if it could not be made
 */
export const makeSummaryNow = async (
  deps: Deps,
  ref: ClipRef,
  request: SummaryRequest,
  signal: AbortSignal,
): Promise<ClipSummary> => {
  await requestSummary(deps, ref, request)
  const { summaries } = requireStore(deps)
  const only = { clipId: ref.id, templateId: request.template_id }
  const claim = await summaries.claimDue({ owner: newId(), leaseMs: SUMMARY_LEASE_MS, only })
  if (claim) await makeSummary(deps, claim, signal)
  signal.throwIfAborted()
  const made = await getSummary(deps, { id: ref.id, template_id: request.template_id })
  if (made.error !== null) throw new AppError(made.state === "error" ? "conflict" : "unavailable", made.error)
  return made
}

/** Lists the summaries of a clip. @throws AppError `not_found` */
export const listSummaries = async (deps: Deps, { id }: ClipRef): Promise<{ summaries: ClipSummary[] }> => {
  const summaries = await requireStore(deps).summaries.list(id)
  if (summaries === null) throw unknownClip(id)
  return { summaries }
}

/** Returns a summary. @throws AppError `not_found` */
export const getSummary = async (deps: Deps, ref: SummaryRef): Promise<ClipSummary> => {
  const summary = await requireStore(deps).summaries.get(ref.id, ref.template_id)
  if (summary === null) throw unknownSummary(ref)
  return summary
}

/** Deletes a summary, also one that is being made. @throws AppError `not_found` */
export const deleteSummary = async (deps: Deps, ref: SummaryRef): Promise<void> => {
  if (!(await requireStore(deps).summaries.delete(ref.id, ref.template_id))) throw unknownSummary(ref)
}
