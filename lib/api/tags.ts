import * as z from "zod"
import { savedView, savedViewPatch, savedViewRequest } from "../domain/saved-views.ts"
import { clipFacets, tagCounts } from "../domain/tags.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const viewParams = z.object({ id: z.string().min(1).describe("The ID of the view") })

const savedViewList = z.object({ views: z.array(savedView).describe("The views by name") })
export type SavedViewList = z.infer<typeof savedViewList>

const savedViewResponse = { name: "SavedView", schema: savedView } as const

export const tagEndpoints = {
  listTags: {
    method: "GET",
    path: "/tags",
    scope: "read",
    summary: "Lists the tags of all clips with the number of clips that have each",
    call: "tags",
    needs: ["rag"],
    response: { name: "TagCounts", schema: tagCounts },
  },
  clipFacets: {
    method: "GET",
    path: "/facets",
    scope: "read",
    summary: "Lists the values by which `GET /clips` can filter, each with its number of clips",
    call: "facets",
    needs: ["rag"],
    response: { name: "ClipFacets", schema: clipFacets },
  },
  listSavedViews: {
    method: "GET",
    path: "/views",
    scope: "read",
    summary: "Lists the saved views of the library: filters and an order under a name",
    call: "savedViews",
    needs: ["rag"],
    response: { name: "SavedViewList", schema: savedViewList },
  },
  createSavedView: {
    method: "POST",
    path: "/views",
    scope: "write",
    summary: "Saves a view of the library",
    call: "createSavedView",
    needs: ["rag"],
    body: {
      name: "SavedViewRequest",
      schema: savedViewRequest,
      example: { name: "Interviews", query: "tag=interviews&sort=title" },
    },
    status: 201,
    response: { name: "CreatedSavedView", schema: savedView.extend({ warnings: requestWarnings }) },
    location: "/views",
    errors: [409],
  },
  updateSavedView: {
    method: "PATCH",
    path: "/views/{id}",
    scope: "write",
    summary: "Renames a saved view or changes its query",
    call: "updateSavedView",
    needs: ["rag"],
    params: viewParams,
    body: { name: "SavedViewPatch", schema: savedViewPatch, example: { name: "All interviews" } },
    response: savedViewResponse,
    errors: [409],
  },
  deleteSavedView: {
    method: "DELETE",
    path: "/views/{id}",
    scope: "write",
    summary: "Deletes a saved view. The clips stay",
    call: "deleteSavedView",
    needs: ["rag"],
    params: viewParams,
    status: 204,
  },
} as const satisfies Endpoints
