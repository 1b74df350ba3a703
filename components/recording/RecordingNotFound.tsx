"use client"
import { useQuery } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { NotFound } from "../shell/NotFound.tsx"

const MAX_RECENT = 5

/** Shown where neither a recording nor a job has the ID of the address. */
export const RecordingNotFound = () => {
  const { data } = useQuery({
    queryKey: queryKeys.recentClips,
    queryFn: ({ signal }) => client.clips({ limit: MAX_RECENT }, { signal, fields: ["id", "title"] }),
  })
  return (
    <>
      <title>Recording not found · Earmark</title>
      <NotFound title="Recording not found" recent={data?.clips ?? []}>
        It may have been deleted, or the link may be incomplete.
      </NotFound>
    </>
  )
}
