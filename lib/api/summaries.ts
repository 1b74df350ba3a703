import * as z from "zod"
import { clipSummary, summaryRequest } from "../domain/summaries.ts"
import { template, templatePatch, templateRequest } from "../domain/summary-templates.ts"
import { clipParams } from "./clips.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const templateParams = z.object({ id: z.string().min(1).describe("The ID of the template") })
const summaryParams = clipParams.extend({ template_id: templateParams.shape.id })

const templateList = z.object({
  templates: z.array(template).describe("The templates of Earmark, then your own by name"),
})
export type TemplateList = z.infer<typeof templateList>

const summaryList = z.object({
  summaries: z.array(clipSummary).describe("The summaries of the clip, by the time of their request"),
})
export type SummaryList = z.infer<typeof summaryList>

const templateResponse = { name: "Template", schema: template } as const

export const summaryEndpoints = {
  listTemplates: {
    method: "GET",
    path: "/templates",
    scope: "read",
    summary: "Lists the templates from which summaries of clips are made",
    call: "templates",
    needs: ["rag"],
    response: { name: "TemplateList", schema: templateList },
  },
  createTemplate: {
    method: "POST",
    path: "/templates",
    scope: "write",
    summary: "Creates a template with a prompt of your own, for a language model",
    call: "createTemplate",
    needs: ["rag"],
    body: {
      name: "TemplateRequest",
      schema: templateRequest,
      example: { name: "Open questions", prompt: "List the questions that stayed open, each as one sentence." },
    },
    status: 201,
    response: { name: "CreatedTemplate", schema: template.extend({ warnings: requestWarnings }) },
    location: "/templates",
    errors: [409, 507],
  },
  editTemplate: {
    method: "PATCH",
    path: "/templates/{id}",
    scope: "write",
    summary: "Changes a template of yours, or whether a template runs after every job",
    call: "editTemplate",
    needs: ["rag"],
    params: templateParams,
    body: { name: "TemplatePatch", schema: templatePatch, example: { after_jobs: true } },
    response: templateResponse,
    errors: [409, 507],
  },
  deleteTemplate: {
    method: "DELETE",
    path: "/templates/{id}",
    scope: "write",
    summary: "Deletes a template of yours. The summaries that were made from it stay",
    call: "deleteTemplate",
    needs: ["rag"],
    params: templateParams,
    status: 204,
    errors: [409],
  },
  listSummaries: {
    method: "GET",
    path: "/clips/{id}/summaries",
    scope: "read",
    summary: "Lists the summaries of a clip that were made from templates",
    call: "summaries",
    needs: ["rag"],
    params: clipParams,
    response: { name: "SummaryList", schema: summaryList },
  },
  requestSummary: {
    method: "POST",
    path: "/clips/{id}/summaries",
    scope: "write",
    summary:
      "Makes a summary of a clip from a template, in the background. The lines of an earlier run stay until the new ones are there",
    call: "summarize",
    needs: ["rag"],
    params: clipParams,
    body: { name: "SummaryRequest", schema: summaryRequest, example: { template_id: "action-items" } },
    status: 202,
    response: { name: "RequestedSummary", schema: clipSummary.extend({ warnings: requestWarnings }) },
    location: "/clips/{clip_id}/summaries/{template_id}",
    errors: [404, 409, 507],
  },
  getSummary: {
    method: "GET",
    path: "/clips/{id}/summaries/{template_id}",
    scope: "read",
    summary: "Returns a summary of a clip. Each line has the time at which it is said",
    call: "summary",
    needs: ["rag"],
    params: summaryParams,
    response: { name: "ClipSummary", schema: clipSummary },
  },
  deleteSummary: {
    method: "DELETE",
    path: "/clips/{id}/summaries/{template_id}",
    scope: "write",
    summary: "Deletes a summary of a clip, also one that is being made",
    call: "deleteSummary",
    needs: ["rag"],
    params: summaryParams,
    status: 204,
  },
} as const satisfies Endpoints
