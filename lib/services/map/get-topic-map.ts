import type { VizCompute } from "../../map/types.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"
import { TopicMap } from "./topic-map.ts"

export type VizDeps = Pick<Deps, "store" | "groups" | "engines" | "log"> & { readonly viz: VizCompute }

/** On globalThis, as the pages' bundle may carry more than one copy of this module: one store, one map. */
const MAPS = Symbol.for("earmark.topicMaps")
type Shared = { [MAPS]?: WeakMap<object, TopicMap> }

/** The process's map of a store. @throws AppError `capability_missing` without group `rag`. */
export const getTopicMap = (deps: VizDeps): TopicMap => {
  const store = requireStore(deps)
  const shared = globalThis as Shared
  shared[MAPS] ??= new WeakMap()
  const known = shared[MAPS].get(store)
  if (known) return known
  const made = new TopicMap({ store, viz: deps.viz, log: deps.log })
  shared[MAPS].set(store, made)
  return made
}
