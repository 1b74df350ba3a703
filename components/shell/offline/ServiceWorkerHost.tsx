"use client"
import { useEffect } from "react"

/**
 * Asks the service worker to store what it has not seen: this page, and every response that the page requested before
 * the worker took control of it, also one that arrives later. Returns how to stop.
 */
export const keepUnseen = (worker: Pick<ServiceWorker, "postMessage">) => {
  worker.postMessage({ loaded: [location.pathname] })
  const observer = new PerformanceObserver((list) => {
    const unseen = (list.getEntries() as PerformanceResourceTiming[]).filter((entry) => entry.workerStart === 0)
    if (unseen.length > 0) worker.postMessage({ loaded: unseen.map((entry) => entry.name) })
  })
  observer.observe({ type: "resource", buffered: true })
  return () => observer.disconnect()
}

/** Registers the service worker of `public/sw.js`. Not in development, where scripts change without a new name. */
export const ServiceWorkerHost = () => {
  useEffect(() => {
    if (process.env.NODE_ENV !== "production" || !("serviceWorker" in navigator)) return
    const { serviceWorker } = navigator
    const isFirstVisit = serviceWorker.controller === null
    let isUnmounted = false
    let stop: (() => void) | undefined
    const keepThisPage = async () => {
      await serviceWorker.register("/sw.js")
      const { active } = await serviceWorker.ready
      if (isFirstVisit && active && !isUnmounted) stop = keepUnseen(active)
    }
    // A browser that forbids it, for example in a private window, only loses what works offline.
    keepThisPage().catch(() => undefined)
    return () => {
      isUnmounted = true
      stop?.()
    }
  }, [])
  return null
}
