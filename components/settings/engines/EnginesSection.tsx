"use client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { useInstallation } from "../../installation/SetupSuggestions.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { EmbedderProgress } from "./EmbedderProgress.tsx"
import { EngineGroup } from "./EngineGroup.tsx"

const CHANGE_POLL_MS = 2000

/** The engines of each kind, which are chosen and tested here. */
export const EnginesSection = () => {
  const queryClient = useQueryClient()
  const engines = useQuery({
    queryKey: queryKeys.engines,
    queryFn: ({ signal }) => client.engines({ signal }),
  })
  const installation = useInstallation(CHANGE_POLL_MS)
  const change = installation.data?.embedder_change ?? null
  const wasChanging = useRef(false)
  // The embedder that is in use changes when its vectors are complete.
  useEffect(() => {
    if (wasChanging.current && !change) void queryClient.invalidateQueries({ queryKey: queryKeys.engines })
    wasChanging.current = change !== null
  }, [change, queryClient])
  return (
    <>
      {engines.isError && <Notice onRetry={() => engines.refetch()}>{errorMessage(engines.error)}</Notice>}
      {engines.isPending && <p className="animate-pulse text-sm text-muted">Looking for engines and model servers…</p>}
      {engines.data?.engines.map((group) => (
        <EngineGroup
          key={group.kind}
          group={group}
          pending={group.kind === "embedder" ? (change?.value ?? null) : null}
        >
          {group.kind === "embedder" && change && (
            <EmbedderProgress change={change} current={group.chosen?.value ?? "builtin"} />
          )}
        </EngineGroup>
      ))}
    </>
  )
}
