"use client"
import { useEffect } from "react"

/** Registers the service worker of `public/sw.js`. Not in development, where scripts change without a new name. */
export const ServiceWorkerHost = () => {
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return
    const { serviceWorker } = navigator
    const isFirstVisit = serviceWorker.controller === null
    const keepThisPage = async () => {
      await serviceWorker.register("/sw.js")
      if (!isFirstVisit) return
      // The worker has not seen what this page has loaded.
      const { active } = await serviceWorker.ready
      const resources = performance.getEntriesByType("resource").map((entry) => entry.name)
      active?.postMessage({ loaded: [location.pathname, ...resources] })
    }
    // A browser that forbids it, for example in a private window, only loses what works offline.
    keepThisPage().catch(() => undefined)
  }, [])
  return null
}
