import type { Deps } from "../deps.ts"

/** Whether nothing was ever brought here: no recording, no run. Also without a database, where nothing is kept. */
export const isEmpty = async ({ store }: Pick<Deps, "store">): Promise<boolean> => {
  if (!store) return true
  const one = { limit: 1 }
  const [{ clips }, { jobs }] = await Promise.all([store.clips.list(one), store.jobs.list(one)])
  return clips.length + jobs.length === 0
}
