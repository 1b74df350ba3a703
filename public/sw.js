// @ts-check
/// <reference lib="webworker" />
/*
 * The service worker of the pages. It never answers from a cache while the service responds, so code and data are always
 * those of the running version. Without a connection, it shows the recordings that were opened before. It also takes what
 * other apps share with Earmark.
 */

/** Pages and their data by address. A change of this name removes what earlier versions stored. */
const PAGES = "pages-1"
/** Scripts, styles and fonts. Their names contain a hash of their content. */
const STATIC = "static-1"
/** What another app has shared, until the page /share has read it. */
const SHARED = "shared-1"
/** Sound of the recorder that is not in the library yet (components/recorder/kept-recordings.ts). */
const RECORDED = "recorded-1"
const MAX_PAGES = 240
const MAX_STATIC = 600

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))

/** Data that is shown without a connection: the list of recordings, a recording, its waveform, its topics and edits. */
const OFFLINE_DATA = /^\/clips(?:\/[^/]+(?:\/(?:waveform|regions))?)?$/
const OFFLINE_PAGE = /^\/(?:library\/[^/]+)?$/

worker.addEventListener("install", () => void worker.skipWaiting())
worker.addEventListener("activate", (event) => {
  const known = [PAGES, STATIC, SHARED, RECORDED]
  const removeOld = async () => {
    for (const name of await caches.keys()) if (!known.includes(name)) await caches.delete(name)
    await worker.clients.claim()
  }
  event.waitUntil(removeOld())
})

/**
 * Stores a response as the newest of its cache, and removes the oldest ones over the limit.
 * @param {string} name
 * @param {number} limit
 * @param {string} key
 * @param {Response} response
 */
const store = async (name, limit, key, response) => {
  const cache = await caches.open(name)
  await cache.delete(key)
  await cache.put(key, response)
  const keys = await cache.keys()
  for (const old of keys.slice(0, Math.max(0, keys.length - limit))) await cache.delete(old)
}

/** Shown for a page that was not opened before. The policy of the service does not apply to it, so it has its own. */
const offlinePage = () =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Offline · Earmark</title><style>body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}</style><h1>Earmark can't be reached</h1><p>This page was not opened before, so it is not available offline. Check that Earmark is running, then reload.</p><p><a href="/">Go to library</a></p></html>`,
    {
      status: 503,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      },
    },
  )

/** Removes what was stored, because the session has ended or may read it no longer. */
const forgetPages = () => caches.delete(PAGES)

/**
 * Answers from the service, and keeps a copy. Without a connection, answers with the copy.
 * @param {FetchEvent} event
 * @param {string} key
 */
const answerOnlineFirst = async (event, key) => {
  try {
    const response = await fetch(event.request)
    if (response.status === 401) event.waitUntil(forgetPages())
    else if (response.ok && !response.redirected) event.waitUntil(store(PAGES, MAX_PAGES, key, response.clone()))
    else if (response.status === 404) event.waitUntil(caches.open(PAGES).then((cache) => cache.delete(key)))
    return response
  } catch (error) {
    const copy = await (await caches.open(PAGES)).match(key)
    if (copy) return copy
    if (event.request.mode === "navigate") return offlinePage()
    throw error
  }
}

/** @param {Request} request */
const answerFromCache = async (request) => {
  const cached = await (await caches.open(STATIC)).match(request)
  if (cached) return cached
  const response = await fetch(request)
  if (response.ok) await store(STATIC, MAX_STATIC, request.url, response.clone())
  return response
}

/**
 * Keeps shared files and links, and opens the page that adds them.
 * @param {Request} request
 */
const receiveShare = async (request) => {
  const form = await request.formData()
  const cache = await caches.open(SHARED)
  const text = ["title", "text", "url"].map((name) => form.get(name)).filter((value) => typeof value === "string")
  await cache.put("/share/text", new Response(text.join("\n")))
  for (const [i, file] of form.getAll("files").entries())
    if (file instanceof File)
      await cache.put(
        `/share/file/${i}`,
        new Response(file, { headers: { "content-type": file.type, "x-name": encodeURIComponent(file.name) } }),
      )
  return Response.redirect("/share", 303)
}

/**
 * Stores a page that was loaded before the worker was active, with its data and scripts.
 * @param {readonly string[]} addresses
 */
const keepLoaded = async (addresses) => {
  for (const address of addresses) {
    const url = new URL(address, worker.location.origin)
    if (url.origin !== worker.location.origin) continue
    const isStatic = url.pathname.startsWith("/_next/static/")
    const isPage = OFFLINE_PAGE.test(url.pathname)
    if (isStatic) await answerFromCache(new Request(url))
    else if (isPage || OFFLINE_DATA.test(url.pathname)) {
      const response = await fetch(url)
      const key = isPage ? `/.page${url.pathname}` : url.pathname + url.search
      if (response.ok && !response.redirected) await store(PAGES, MAX_PAGES, key, response)
    }
  }
}

worker.addEventListener("message", (event) => {
  const { loaded } = event.data ?? {}
  if (Array.isArray(loaded)) event.waitUntil(keepLoaded(loaded.map(String)).catch(() => undefined))
})

worker.addEventListener("fetch", (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== worker.location.origin) return
  if (request.method === "POST" && url.pathname === "/share") {
    event.respondWith(receiveShare(request))
    return
  }
  if (url.pathname === "/login") event.waitUntil(forgetPages())
  if (request.method !== "GET") return
  if (url.pathname.startsWith("/_next/static/")) {
    event.respondWith(answerFromCache(request))
    return
  }
  // A page is stored without its query, such as the second to open it at.
  if (request.mode === "navigate") event.respondWith(answerPage(event, url))
  else if (OFFLINE_DATA.test(url.pathname) && request.headers.get("accept") !== "text/x-component")
    event.respondWith(answerOnlineFirst(event, url.pathname + url.search))
})

/**
 * @param {FetchEvent} event
 * @param {URL} url
 */
const answerPage = (event, { pathname }) =>
  OFFLINE_PAGE.test(pathname) ? answerOnlineFirst(event, `/.page${pathname}`) : fetchPage(event)

/** @param {FetchEvent} event */
const fetchPage = async (event) => {
  try {
    return await fetch(event.request)
  } catch {
    return offlinePage()
  }
}
