const HOSTS = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtube-nocookie.com",
  "www.youtube-nocookie.com",
])
const SHORT_HOSTS = new Set(["youtu.be", "www.youtu.be"])
const ID_FOLDERS = new Set(["watch", "embed", "shorts", "live", "v", "vi", "e"])
/** Path segments of eleven characters that are not video IDs. */
const RESERVED_IDS = new Set(["videoseries", "live_stream"])
const ID = /^[A-Za-z0-9_-]{11}$/

/** Returns true if the text has the form of a video ID. */
export const isVideoId = (id: string): boolean => ID.test(id) && !RESERVED_IDS.has(id)

const hostOf = (url: URL): string => url.hostname.replace(/\.$/, "")

/** Returns true for a URL on a YouTube host and a standard port. */
export const isYouTube = (url: URL): boolean =>
  (HOSTS.has(hostOf(url)) || SHORT_HOSTS.has(hostOf(url))) && ["", "80", "443"].includes(url.port)

/**
 * Extracts the video ID from a YouTube URL. Supports watch?v= (anywhere in the query), youtu.be, embed, shorts, live, v, vi,
 * e and attribution links. Returns null if the URL names no single video (a playlist, a channel, an invalid ID).
 */
export const youTubeId = (url: URL): string | null => {
  const segments = url.pathname.split("/").filter(Boolean)
  const folder = segments[0]?.toLowerCase()
  if (folder === "attribution_link") {
    const inner = url.searchParams.get("u") ?? ""
    return inner.startsWith("/watch") ? youTubeId(new URL(inner, "https://www.youtube.com")) : null
  }
  // URLs copied from HTML source contain &amp;.
  const query = url.searchParams.get("v") ?? url.searchParams.get("amp;v")
  const inPath = SHORT_HOSTS.has(hostOf(url)) && folder !== "watch" ? segments[0] : segments[1]
  const fromPath =
    SHORT_HOSTS.has(hostOf(url)) || (folder && ID_FOLDERS.has(folder)) ? inPath?.split("&")[0] : undefined
  const usesQuery = folder === undefined || (folder === "watch" && segments.length === 1)
  const id = fromPath ?? (usesQuery ? query : undefined)
  return id && isVideoId(id) ? id : null
}

/** Returns the canonical URL of a video. */
export const youTubeUrl = (id: string): string => `https://www.youtube.com/watch?v=${id}`
