import type { JobList, JobsQuery } from "../contracts/jobs.ts"
import type { Deps } from "./deps.ts"
import { requireStore } from "./require.ts"

/** Jobs, newest first, a page at a time. */
export const listJobs = (deps: Deps, query: JobsQuery): Promise<JobList> => requireStore(deps).listJobs(query)
