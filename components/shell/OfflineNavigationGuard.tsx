"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useEffect } from "react"
import { client, isUnreachable } from "../api/client.ts"
import { notifyError } from "../ui/toast-queue.ts"

/** The address on this service that a plain click goes to; null where the browser does something else with it. */
const pathOf = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return null
  return link.pathname === location.pathname ? null : link.pathname + link.search + link.hash
}

/**
 * Keeps the page while the service is out of reach: to follow a link then would leave it for the browser's own page of
 * errors. Whether it is back is asked only where something went without an answer before.
 */
export const OfflineNavigationGuard = () => {
  const queries = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    const silent = () =>
      queries
        .getQueryCache()
        .getAll()
        .some(({ state }) => isUnreachable(state.error))
    const follow = (event: MouseEvent) => {
      const path = pathOf(event)
      if (path === null || !silent()) return
      event.preventDefault()
      client.health().then(
        () => router.push(path),
        () => notifyError("Earmark does not answer, so this page stays. Links lead on when it is back."),
      )
    }
    document.addEventListener("click", follow, true)
    return () => document.removeEventListener("click", follow, true)
  }, [queries, router])
  return null
}
