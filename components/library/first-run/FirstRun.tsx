"use client"
import { useJobs } from "../../api/jobs.ts"
import { ModelSetup } from "../../installation/ModelSetup.tsx"

/** Shown while the library is empty: what makes results better, to download with one click. */
export const FirstRun = () => {
  const jobs = useJobs()
  if (jobs.data?.pages.some((page) => page.jobs.length > 0)) return null
  return <ModelSetup />
}
