import { markKept } from "./recorder-store.ts"

/** The cache with the sound of recordings that are not in the library yet. The service worker keeps it. */
const CACHE = "recorded-1"
const PREFIX = "/.recorded/"

/** A recording that this browser keeps until it is in the library. */
export type KeptRecording = {
  readonly id: string
  /** When it began, in Unix milliseconds. */
  readonly startedAt: number
  /** Its length in seconds. */
  readonly duration_s: number
  readonly type: string
}

type Chunk = KeptRecording & { readonly position: number; readonly sound: Blob }

/**
 * Keeps a part of a recording, so that a closed page or an empty battery loses at most the seconds after it. `duration_s`
 * is the length up to the end of the part.
 * @throws DOMException `QuotaExceededError` if the disk is full
 */
export const keepChunk = async ({ id, startedAt, duration_s, type, position, sound }: Chunk): Promise<void> => {
  const cache = await caches.open(CACHE)
  const headers = { "content-type": type, "x-started-at": String(startedAt), "x-duration": String(duration_s) }
  await cache.put(`${PREFIX}${id}/${position}`, new Response(sound, { headers }))
  markKept(true)
}

const openChunks = async (): Promise<Map<string, { position: number; response: Response }[]>> => {
  const cache = await caches.open(CACHE)
  const recordings = new Map<string, { position: number; response: Response }[]>()
  for (const request of await cache.keys()) {
    const [id = "", position = ""] = new URL(request.url).pathname.slice(PREFIX.length).split("/")
    const response = await cache.match(request)
    if (response) recordings.set(id, [...(recordings.get(id) ?? []), { position: Number(position), response }])
  }
  for (const chunks of recordings.values()) chunks.sort((a, b) => a.position - b.position)
  return recordings
}

/** Lists the recordings that this browser keeps, oldest first, except those that another page is making. */
export const listKept = async (): Promise<KeptRecording[]> => {
  const { held = [] } = await navigator.locks.query()
  const active = new Set(held.map(({ name }) => name))
  return [...(await openChunks())]
    .filter(([id]) => !active.has(lockName(id)))
    .map(([id, chunks]) => {
      const { headers } = chunks.at(-1)!.response
      return {
        id,
        startedAt: Number(headers.get("x-started-at")),
        duration_s: Number(headers.get("x-duration")),
        type: headers.get("content-type") ?? "",
      }
    })
    .toSorted((a, b) => a.startedAt - b.startedAt)
}

/** The lock that a page holds while it makes a recording. The browser releases it when the page ends. */
export const lockName = (id: string): string => `recording ${id}`

const EXTENSIONS: Readonly<Record<string, string>> = { "audio/ogg": "ogg", "audio/mp4": "m4a", "audio/webm": "webm" }

/** Returns a kept recording as a file, or null if it is gone. */
export const readKept = async ({ id, type, startedAt }: KeptRecording): Promise<File | null> => {
  const chunks = (await openChunks()).get(id)
  if (!chunks) return null
  const sound = await Promise.all(chunks.map(({ response }) => response.blob()))
  const container = type.split(";", 1)[0]!
  const stamp = new Date(startedAt).toISOString().slice(0, 19).replaceAll(":", "-")
  return new File(sound, `recording-${stamp}.${EXTENSIONS[container] ?? "audio"}`, { type: container })
}

export const removeKept = async (id: string): Promise<void> => {
  const cache = await caches.open(CACHE)
  for (const request of await cache.keys())
    if (new URL(request.url).pathname.startsWith(`${PREFIX}${id}/`)) await cache.delete(request)
  markKept((await cache.keys()).length > 0)
}
