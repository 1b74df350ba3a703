import type { ClipSummary, StoredLine, SummaryOptions } from "../../../domain/summaries.ts"
import type { SummaryKind, Template, TemplatePatch, TemplateRequest } from "../../../domain/summary-templates.ts"

/** The right of a worker to make a summary. */
export type SummaryClaim = {
  readonly clipId: string
  readonly templateId: string
  readonly owner: string
  /** With the owner it tells whether the claim still holds. */
  readonly attempt: number
  /** The attempts since the summary was requested, this one included. */
  readonly tries: number
  readonly kind: SummaryKind
  readonly prompt: string | null
  readonly options: SummaryOptions
}

export type MadeSummary = {
  readonly lines: readonly StoredLine[]
  readonly dropped: number
  readonly provider: string
  readonly model: string | null
  /** The versions of the transcript and the topics that it was made from. */
  readonly made_from: { readonly transcript: number; readonly topics: number }
}

/** Stores templates and the summaries of clips, and hands summaries to be made to workers. */
export interface SummaryStore {
  /** Lists the templates of Earmark, then own ones by name. */
  listTemplates(): Promise<Template[]>
  /** @throws AppError `conflict` if the name is taken or there are too many */
  createTemplate(template: TemplateRequest & { readonly id: string }): Promise<Template>
  /** Returns null for an unknown template. @throws AppError `conflict` if the name is taken, `invalid` for a field that a template of Earmark lacks */
  updateTemplate(id: string, patch: TemplatePatch): Promise<Template | null>
  /** Deletes an own template. Its summaries stay. Returns false for an unknown one. @throws AppError `conflict` for a template of Earmark */
  deleteTemplate(id: string): Promise<boolean>

  /**
   * Requests a summary. One that is being made is made again. Returns null for an unknown clip.
   * @throws AppError `not_found` for an unknown template
   */
  request(clipId: string, templateId: string, options: SummaryOptions): Promise<ClipSummary | null>
  /** Lists the summaries of a clip by the time of their request. Returns null for an unknown clip. */
  list(clipId: string): Promise<ClipSummary[] | null>
  get(clipId: string, templateId: string): Promise<ClipSummary | null>
  /** Returns false for an unknown summary. */
  delete(clipId: string, templateId: string): Promise<boolean>

  /** Returns true if `claimDue` may find something. Does not write. */
  hasDue(): Promise<boolean>
  /** Claims the summary that was requested first among those that are due, or the given one. Returns null if there is none. */
  claimDue(p: {
    readonly owner: string
    readonly leaseMs: number
    readonly only?: { readonly clipId: string; readonly templateId: string }
  }): Promise<SummaryClaim | null>
  /** Extends a lease and records the progress. Returns false if the claim no longer holds. */
  renew(
    claim: SummaryClaim,
    leaseMs: number,
    progress: { readonly done: number; readonly total: number } | null,
  ): Promise<boolean>
  /** Stores a result. Returns false, with nothing written, if the claim no longer holds. */
  complete(claim: SummaryClaim, made: MadeSummary): Promise<boolean>
  /** Records a failure. With `retryInMs` it is tried again. Returns false if the claim no longer holds. */
  fail(claim: SummaryClaim, failure: { readonly error: string; readonly retryInMs: number | null }): Promise<boolean>
}
