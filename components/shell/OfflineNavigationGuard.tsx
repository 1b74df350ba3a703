"use client"
import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useEffect } from "react"
import { client, isUnreachable } from "../api/client.ts"
import { notifyError } from "../ui/toast-queue.ts"

/** Returns the path that a click navigates to, or null for other sites, downloads, new tabs and links within the page. */
const getTargetPath = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return null
  return link.pathname === location.pathname ? null : link.pathname + link.search + link.hash
}

/** Returns true if the service worker can show a page without the service. */
const isStoredPage = async (path: string): Promise<boolean> => {
  if (!("caches" in window)) return false
  return (await caches.match(`/.page${new URL(path, location.href).pathname}`)) !== undefined
}

/**
 * Blocks navigation while the service is unreachable, because following a link would replace the page with the browser's
 * error page. Checks the service only if a previous query could not reach it.
 */
export const OfflineNavigationGuard = () => {
  const queries = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    const hasUnreachableQuery = () =>
      queries
        .getQueryCache()
        .getAll()
        .some(({ state }) => isUnreachable(state.error))
    const follow = (event: MouseEvent) => {
      const path = getTargetPath(event)
      if (path === null || !hasUnreachableQuery()) return
      event.preventDefault()
      client.health().then(
        () => router.push(path),
        async () => {
          if (await isStoredPage(path)) window.location.assign(path)
          else notifyError("Earmark isn't responding. Links work again when it is back.")
        },
      )
    }
    document.addEventListener("click", follow, true)
    return () => document.removeEventListener("click", follow, true)
  }, [queries, router])
  return null
}
