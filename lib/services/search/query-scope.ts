import type { QueryFilter, QueryScope } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import type { ChunkFilter, ChunkScope } from "../../storage/stores/ports/documents.ts"
import { getTopicRegions, type RegionDeps } from "../map/topic-regions.ts"

/** A question about a region rather waits for the map than fails. */
const WAIT_MS = 10_000

const toMilliseconds = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time)

/**
 * Returns the chunks that a question may be answered from. Regions become the sections of recordings that their topics are in.
 * @throws AppError `invalid` for a region that is not on the map
 */
export const resolveScope = async (
  deps: RegionDeps,
  { scope, filter = {} }: { readonly scope: QueryScope; readonly filter?: QueryFilter | undefined },
): Promise<ChunkScope> => {
  if (Object.values(filter).every((value) => value === undefined)) return { scope }
  const { clip_ids: clipIds, regions, after, before, ...lists } = filter
  const sections = regions && (await findSections(deps, regions))
  return {
    scope,
    filter: { ...lists, clipIds, sections, after: toMilliseconds(after), before: toMilliseconds(before) },
  }
}

const findSections = async (
  deps: RegionDeps,
  names: readonly string[],
): Promise<NonNullable<ChunkFilter["sections"]>> => {
  if (!deps.viz)
    throw new AppError("invalid", "filter.regions: regions are known to a running service only. Ask it with --url.")
  const { regions, sectionsIn } = await getTopicRegions(deps, WAIT_MS)
  const ids = names.map((name) => {
    const region = regions.find((r) => r.name.toLowerCase() === name.toLowerCase())
    if (!region)
      throw new AppError(
        "invalid",
        `filter.regions: no region of the map is called '${name}'. Its regions change with its recordings; GET /facets lists them.`,
      )
    return region.id
  })
  return sectionsIn(ids)
}
