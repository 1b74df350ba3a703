const CACHE = "shared-1"

/** What another app has shared with Earmark. */
export type ReceivedShare = { readonly files: readonly File[]; readonly links: readonly string[] }

const LINK = /https?:\/\/[^\s<>"]+/g

/** Removes the marks that end a sentence or close a parenthesis around a link. */
const withoutEndMarks = (link: string): string => {
  let end = link.length
  while (end > 0 && ".,;:!?)]".includes(link[end - 1]!)) end--
  return link.slice(0, end)
}

/** Returns the links in a shared text, without duplicates. Apps put a link into the text, the title or its own field. */
export const findLinks = (text: string): string[] => [
  ...new Set([...text.matchAll(LINK)].map(([link]) => withoutEndMarks(link))),
]

/** Reads what the service worker has kept, and removes it. */
export const takeShare = async (): Promise<ReceivedShare> => {
  const cache = await caches.open(CACHE)
  const files: File[] = []
  let text = ""
  for (const request of await cache.keys()) {
    const response = await cache.match(request)
    if (!response) continue
    if (new URL(request.url).pathname === "/share/text") text = await response.text()
    else {
      const name = decodeURIComponent(response.headers.get("x-name") ?? "") || "recording"
      files.push(new File([await response.blob()], name, { type: response.headers.get("content-type") ?? "" }))
    }
  }
  await caches.delete(CACHE)
  return { files, links: findLinks(text) }
}
