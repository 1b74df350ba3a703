import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import type { Template, TemplatePatch, TemplateRequest } from "../../domain/summary-templates.ts"
import { type Deps, requireStore } from "../deps.ts"

type TemplateRef = { readonly id: string }

const unknownTemplate = (id: string): AppError => new AppError("not_found", `unknown template '${id}'`)

/** Lists the templates of Earmark, then own ones by name. */
export const listTemplates = async (deps: Deps): Promise<{ templates: Template[] }> => ({
  templates: await requireStore(deps).summaries.listTemplates(),
})

/** Creates an own template. @throws AppError `conflict` if its name is taken or there are too many */
export const createTemplate = (deps: Deps, request: TemplateRequest): Promise<Template> =>
  requireStore(deps).summaries.createTemplate({ ...request, id: newId() })

/** Changes a template. @throws AppError `not_found`; others as `SummaryStore.updateTemplate` */
export const editTemplate = async (deps: Deps, { id }: TemplateRef, patch: TemplatePatch): Promise<Template> => {
  const changed = await requireStore(deps).summaries.updateTemplate(id, patch)
  if (changed === null) throw unknownTemplate(id)
  return changed
}

/** Deletes an own template. Its summaries stay. @throws AppError `not_found`, `conflict` for a template of Earmark */
export const deleteTemplate = async (deps: Deps, { id }: TemplateRef): Promise<void> => {
  if (!(await requireStore(deps).summaries.deleteTemplate(id))) throw unknownTemplate(id)
}
