import { AppError } from "../../domain/errors.ts"
import type { LabelRequest, LabelResponse, TagCounts } from "../../domain/tags.ts"
import { type Deps, requireStore } from "../deps.ts"

/** Lists the tags that clips have. */
export const listTags = async (deps: Pick<Deps, "store" | "groups">): Promise<TagCounts> => ({
  tags: await requireStore(deps).clips.listTags(),
})

/** Changes the tags of several clips, or marks them as favorites. A clip that cannot be changed does not stop the others. */
export const labelClips = async (
  deps: Pick<Deps, "store" | "groups">,
  { ids, ...change }: LabelRequest,
): Promise<LabelResponse> => {
  const { clips } = requireStore(deps)
  const response: LabelResponse = { updated: [], unchanged: [], failed: [] }
  for (const id of new Set(ids)) {
    try {
      const hasChanged = await clips.updateLabels(id, change)
      if (hasChanged === null) response.failed.push({ id, detail: `unknown clip '${id}'` })
      else response[hasChanged ? "updated" : "unchanged"].push(id)
    } catch (error) {
      if (!AppError.is(error) || error.code !== "invalid") throw error
      response.failed.push({ id, detail: error.message })
    }
  }
  return response
}
