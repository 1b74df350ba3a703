import type { JobList, JobsQuery } from "../../domain/jobs/jobs.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"

/** Jobs, newest first, a page at a time. */
export const listJobs = (deps: Deps, query: JobsQuery): Promise<JobList> => requireStore(deps).jobs.list(query)
